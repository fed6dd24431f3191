import type * as THREE from 'three';

export interface DwellOptions {
  seconds?: number;
}

export type DwellPhase = 'start' | 'update' | 'complete' | 'cancel';

/** How long a ray must rest on a target; 0 where it may do so for ever. */
export function restingTime(target?: THREE.Object3D): number {
  const given = target?.xb?.dwell ?? false;
  const seconds = typeof given === 'boolean' ? Number(given) : given.seconds ?? 1;
  return seconds > 0 && seconds < Infinity ? seconds : 0;
}
