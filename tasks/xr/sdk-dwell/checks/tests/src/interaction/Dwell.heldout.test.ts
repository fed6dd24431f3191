import * as THREE from 'three';
import {beforeEach, describe, expect, it, vi} from 'vitest';

import {Script, type SelectEndEvent, type SelectEvent} from '../core/Script';
import {ScriptsManager} from '../core/components/ScriptsManager';
import type {Controller} from '../input/Controller';
import {UIButton} from '../ui/components/UIButton';
import {Interaction} from './Interaction';
import type {InteractionSourceState, RaySourceInput} from './InteractionTypes';

interface Told extends SelectEvent {
  phase: string;
  progress: number;
}

class Thing extends Script {
  surface = new THREE.Mesh(new THREE.BoxGeometry(0.1, 0.1, 0.1));
  starts: SelectEvent[] = [];
  ends: SelectEndEvent[] = [];
  selects: SelectEvent[] = [];
  dwells: Told[] = [];
  drags = 0;
  constructor(dwell?: unknown) {
    super();
    this.add(this.surface);
    this.xb = {dwell} as never;
  }
  override onObjectSelectStart(event: SelectEvent) {
    this.starts.push(event);
  }
  override onObjectSelectEnd(event: SelectEndEvent) {
    this.ends.push(event);
  }
  override onSelect(event: SelectEvent) {
    this.selects.push(event);
  }
  override onObjectManipulate() {
    this.drags++;
  }
  onObjectDwell(event: Told) {
    this.dwells.push(event);
  }
  get phases() {
    return this.dwells.map((event) => event.phase).filter((phase) => phase !== 'update');
  }
}

let callbacks: ScriptsManager;
let interaction: Interaction;
let scene: THREE.Scene;
let presented: InteractionSourceState | undefined;
let progress: number | undefined;

beforeEach(() => {
  callbacks = new ScriptsManager(async () => {});
  scene = new THREE.Scene();
  const reticle = {
    present: (snapshot: InteractionSourceState) => {
      presented = snapshot;
      progress = snapshot.selectionProgress;
    },
    clear: () => {},
  };
  interaction = new Interaction({callbacks, reticle});
});

async function thing(dwell?: unknown) {
  const made = new Thing(dwell);
  scene.add(made);
  await callbacks.initScript(made);
  return made;
}

function controller(id: number): Controller {
  const value = new THREE.Object3D() as Controller;
  value.userData = {id, connected: true, selected: false};
  return value;
}

type SourceType = RaySourceInput['sourceType'];

/** A frame's ray: on an object, whose visible part is hit, or on nothing. */
function ray(source: Controller, on?: THREE.Object3D, selected = false, sourceType: SourceType = 'hand-ray'): RaySourceInput {
  source.userData.selected = selected;
  const object = on instanceof Thing ? on.surface : on;
  return {
    controller: source,
    sourceType,
    selected,
    ray: new THREE.Ray(new THREE.Vector3(), new THREE.Vector3(0, 0, -1)),
    intersections: object ? [{distance: 1, object, point: new THREE.Vector3(0, 0, -1)}] : [],
    position: new THREE.Vector3(),
    orientation: new THREE.Quaternion(),
  };
}

const FRAME = 1 / 64;

function frames(seconds: number, ...rays: RaySourceInput[]) {
  for (let count = Math.round(seconds / FRAME); count > 0; count--) {
    interaction.update({raySources: rays, directTouches: []}, FRAME);
  }
}

describe('selects', () => {
  it('once, as a pinch that is completed', async () => {
    const object = await thing({seconds: 0.5});
    const source = controller(0);
    frames(0.4, ray(source, object));
    expect(object.starts).toHaveLength(0);
    frames(0.2, ray(source, object));
    expect(object.starts).toHaveLength(1);
    expect(object.starts[0].target).toBe(object);
    expect(object.starts[0].source.controller).toBe(source);
    expect(object.ends).toHaveLength(1);
    expect(object.ends[0]).toMatchObject({completed: true, reason: 'released'});
    expect(object.selects).toHaveLength(1);
    expect(interaction.isSelectingAt(object)).toBe(false);
  });

  it('after a second, when no time is given', async () => {
    for (const dwell of [true, {}]) {
      const object = await thing(dwell);
      const source = controller(0);
      frames(0.9, ray(source, object));
      expect(object.ends).toHaveLength(0);
      frames(0.2, ray(source, object));
      expect(object.ends).toHaveLength(1);
      frames(0.5, ray(source));
    }
  });

  it.each(['hand-ray', 'controller-ray', 'mouse', 'gaze'] as const)('with a source of type %s', async (type) => {
    const object = await thing({seconds: 0.5});
    const source = controller(0);
    frames(0.3, ray(source, object, false, type));
    expect(object.ends).toHaveLength(0);
    frames(0.3, ray(source, object, false, type));
    expect(object.ends.map((event) => event.completed)).toEqual([true]);
    expect(object.ends[0].source.type).toBe(type);
  });

  it('two objects with two sources, each in its time', async () => {
    const [quick, slow] = [await thing({seconds: 0.3}), await thing({seconds: 1.5})];
    const [left, right] = [controller(0), controller(1)];
    frames(0.5, ray(left, slow), ray(right, quick));
    expect([quick.ends.length, slow.ends.length]).toEqual([1, 0]);
    frames(1.2, ray(left, slow), ray(right, quick));
    expect([quick.ends.length, slow.ends.length]).toEqual([1, 1]);
    expect(slow.ends[0].source.controller).toBe(left);
  });

  it.each(['hand-ray', 'gaze'] as const)('a button with %s, once', async (type) => {
    const onClick = vi.fn();
    const button = new UIButton({label: 'Go', onClick});
    button.xb = {...button.xb, dwell: {seconds: 0.4}} as never;
    await callbacks.initScript(button);
    const source = controller(0);
    frames(0.3, ray(source, button, false, type));
    expect(onClick).not.toHaveBeenCalled();
    frames(3, ray(source, button, false, type));
    expect(onClick).toHaveBeenCalledOnce();
  });

  it('what can be dragged, without dragging it', async () => {
    const object = await thing({seconds: 0.3});
    object.xb = {...object.xb, manipulation: true};
    frames(0.5, ray(controller(0), object));
    expect(object.ends.map((event) => event.completed)).toEqual([true]);
    expect(object.drags).toBe(0);
  });

  it.each([[undefined], [false], [{seconds: 0}], [{seconds: -1}], [{seconds: NaN}], [{seconds: Infinity}]])(
    'nothing that is not to be: %o',
    async (dwell) => {
      const object = await thing(dwell);
      frames(4, ray(controller(0), object));
      expect(object.starts).toHaveLength(0);
      expect(object.dwells).toHaveLength(0);
    }
  );
});

describe('events', () => {
  it('tell of the beginning, the way and the end', async () => {
    const object = await thing({seconds: 0.5});
    const source = controller(0);
    frames(1, ray(source, object));
    expect(object.phases).toEqual(['start', 'complete']);
    expect(object.dwells[0]).toMatchObject({phase: 'start', progress: 0, target: object, currentTarget: object});
    expect(object.dwells[0].source.controller).toBe(source);
    const way = object.dwells.map((event) => event.progress);
    expect(way).toEqual([...way].sort((a, b) => a - b));
    expect(object.dwells.filter((event) => event.phase === 'update').length).toBeGreaterThan(20);
    expect(object.dwells.at(-1)).toMatchObject({phase: 'complete', progress: 1});
  });

  it('show in the reticle how far it is', async () => {
    const object = await thing({seconds: 1});
    const source = controller(0);
    frames(0.5, ray(source, object));
    expect(presented?.controller).toBe(source);
    expect(progress).toBeGreaterThan(0.4);
    expect(progress).toBeLessThan(0.6);
    frames(1, ray(source));
    expect(progress ?? 0).toBe(0);
  });
});

describe('leaving', () => {
  it('cancels, and begins anew', async () => {
    const object = await thing({seconds: 0.6});
    const source = controller(0);
    frames(0.5, ray(source, object));
    frames(0.4, ray(source));
    expect(object.phases).toEqual(['start', 'cancel']);
    frames(0.5, ray(source, object));
    expect(object.starts).toHaveLength(0);
    frames(0.2, ray(source, object));
    expect(object.ends).toHaveLength(1);
    expect(object.phases).toEqual(['start', 'cancel', 'start', 'complete']);
  });

  it('for a moment is none, and does not count', async () => {
    const object = await thing({seconds: 0.6});
    const source = controller(0);
    for (let turn = 0; turn < 4; turn++) {
      frames(0.125, ray(source, object));
      frames(0.125, ray(source));
    }
    expect(object.phases).toEqual(['start']);
    frames(0.25, ray(source, object));
    expect(object.phases).toEqual(['start', 'complete']);
    expect(object.ends).toHaveLength(1);
  });

  it('for a moment to another object is none, either', async () => {
    const [object, other] = [await thing({seconds: 0.5}), await thing({seconds: 0.5})];
    const source = controller(0);
    for (let turn = 0; turn < 4; turn++) {
      frames(0.25, ray(source, object));
      frames(0.125, ray(source, other));
    }
    expect(object.phases).toEqual(['start', 'complete']);
    expect(other.dwells).toHaveLength(0);
    frames(1, ray(source, other));
    expect(other.ends).toHaveLength(1);
  });

  it('is needed before it selects again', async () => {
    const object = await thing({seconds: 0.3});
    const source = controller(0);
    frames(5, ray(source, object));
    frames(0.125, ray(source));
    frames(2, ray(source, object));
    expect(object.ends).toHaveLength(1);
    frames(0.4, ray(source));
    frames(0.5, ray(source, object));
    expect(object.ends).toHaveLength(2);
    expect(object.phases).toEqual(['start', 'complete', 'start', 'complete']);
  });

  it('is needed after a pinch, which cancels', async () => {
    const object = await thing({seconds: 0.5});
    const source = controller(0);
    frames(0.3, ray(source, object));
    frames(0.2, ray(source, object, true));
    frames(2, ray(source, object));
    expect(object.phases).toEqual(['start', 'cancel']);
    expect(object.starts).toHaveLength(1);
    frames(0.4, ray(source));
    frames(0.7, ray(source, object));
    expect(object.starts).toHaveLength(2);
  });

  it('is what a source does that is no longer there', async () => {
    const object = await thing({seconds: 0.5});
    const source = controller(0);
    frames(0.4, ray(source, object));
    frames(0.4);
    expect(object.phases).toEqual(['start', 'cancel']);
    frames(0.4, ray(source, object));
    expect(object.starts).toHaveLength(0);
  });

  it('is what happens when an object is hidden', async () => {
    const object = await thing({seconds: 0.5});
    const source = controller(0);
    frames(0.4, ray(source, object));
    object.visible = false;
    frames(0.4, ray(source, object));
    expect(object.phases).toEqual(['start', 'cancel']);
    object.visible = true;
    frames(0.4, ray(source, object));
    expect(object.starts).toHaveLength(0);
  });

  it('is no matter of time without frames', async () => {
    const object = await thing({seconds: 0.5});
    const source = controller(0);
    frames(0.25, ray(source, object));
    interaction.update({raySources: [ray(source, object)], directTouches: []}, 5);
    expect(object.starts).toHaveLength(0);
    frames(0.25, ray(source, object));
    expect(object.ends).toHaveLength(1);
  });
});
