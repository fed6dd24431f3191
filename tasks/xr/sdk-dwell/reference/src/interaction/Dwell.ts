import * as THREE from 'three';

import type {Controller} from '../input/Controller.js';
import type {ResolvedRay} from './InteractionTypes.js';

export interface DwellOptions {
  /** How long a source rests on the object until that is selected. */
  seconds?: number;
}

/** What happened to a dwell. */
export type DwellPhase = 'start' | 'update' | 'complete' | 'cancel';

interface DwellState {
  readonly target: THREE.Object3D;
  resolved: ResolvedRay;
  readonly seconds: number;
  elapsed: number;
  away: number;
  /** It was completed or canceled; the source has not left since. */
  spent: boolean;
}

const DEFAULT_SECONDS = 1;
const GRACE_SECONDS = 0.2;
const LONGEST_FRAME_SECONDS = 0.1;
const EPSILON = 1e-6;

/** The time after which an object is selected, if it may be so at all. */
export function getDwellSeconds(object?: THREE.Object3D): number | undefined {
  const dwell = object?.xb?.dwell;
  if (!dwell) return undefined;
  const seconds = dwell === true ? DEFAULT_SECONDS : dwell.seconds;
  if (seconds === undefined) return DEFAULT_SECONDS;
  return Number.isFinite(seconds) && seconds > 0 ? seconds : undefined;
}

/** Keeps for each source on which object it rests, and how long. */
export class Dwell {
  private readonly states = new Map<Controller, DwellState>();

  constructor(
    private readonly report: (
      controller: Controller,
      resolved: ResolvedRay,
      phase: DwellPhase,
      progress: number
    ) => void
  ) {}

  /** Takes one frame of a source, and returns whether it selects its target. */
  update(
    controller: Controller,
    resolved: ResolvedRay | undefined,
    deltaSeconds: number,
    selecting: boolean
  ): boolean {
    const step = THREE.MathUtils.clamp(deltaSeconds, 0, LONGEST_FRAME_SECONDS);
    const state = this.states.get(controller);
    if (state && getDwellSeconds(state.target) === undefined) {
      this.remove(controller);
    } else if (state) {
      if (selecting) this.spend(controller, state);
      if (resolved?.target === state.target) {
        state.away = 0;
        state.resolved = resolved;
        return !state.spent && this.count(controller, state, step);
      }
      state.away += step;
      if (state.away <= GRACE_SECONDS + EPSILON) return false;
      this.remove(controller);
    }
    this.begin(controller, resolved, selecting);
    return false;
  }

  /** Sources that rest on something, whether a frame has a ray of them or not. */
  get sources(): Controller[] {
    return [...this.states.keys()];
  }

  /** How far a source has come on what it rests on. */
  getProgress(controller: Controller): number | undefined {
    const state = this.states.get(controller);
    if (!state) return undefined;
    return Math.min(1, state.elapsed / state.seconds);
  }

  remove(controller: Controller): void {
    const state = this.states.get(controller);
    if (!state) return;
    this.spend(controller, state);
    this.states.delete(controller);
  }

  removeTargets(belongs: (target: THREE.Object3D) => boolean): void {
    for (const [controller, state] of [...this.states]) {
      if (belongs(state.target)) this.remove(controller);
    }
  }

  private begin(
    controller: Controller,
    resolved: ResolvedRay | undefined,
    selecting: boolean
  ): void {
    const target = resolved?.target;
    const seconds = getDwellSeconds(target);
    if (!resolved || !target || seconds === undefined) return;
    this.states.set(controller, {
      target,
      resolved,
      seconds,
      elapsed: 0,
      away: 0,
      spent: selecting,
    });
    if (!selecting) this.report(controller, resolved, 'start', 0);
  }

  private count(
    controller: Controller,
    state: DwellState,
    step: number
  ): boolean {
    state.elapsed += step;
    const completed = state.elapsed >= state.seconds - EPSILON;
    if (completed) {
      state.elapsed = state.seconds;
      state.spent = true;
    }
    this.report(
      controller,
      state.resolved,
      completed ? 'complete' : 'update',
      state.elapsed / state.seconds
    );
    return completed;
  }

  private spend(controller: Controller, state: DwellState): void {
    if (state.spent) return;
    state.spent = true;
    const progress = state.elapsed / state.seconds;
    state.elapsed = 0;
    this.report(controller, state.resolved, 'cancel', progress);
  }
}
