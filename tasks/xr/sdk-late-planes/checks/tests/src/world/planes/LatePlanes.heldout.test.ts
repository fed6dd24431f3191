import * as THREE from 'three';
import {beforeEach, describe, expect, it} from 'vitest';

import type {WaitFrame} from '../../core/components/WaitFrame';
import {placeOnHorizontalSurface} from '../HorizontalPlacement';
import {WorldOptions} from '../WorldOptions';
import {DetectedPlane} from './DetectedPlane';
import {PlaneDetector} from './PlaneDetector';

interface Told {
  label: string;
  half: number;
  at: THREE.Vector3;
  turn: THREE.Quaternion;
  changed: number;
}

function xrPlane(told: Partial<Told> = {}) {
  const state: Told = {label: 'table', half: 0.5, at: new THREE.Vector3(0, 0.7, -1), turn: new THREE.Quaternion(), changed: 1, ...told};
  const plane = {
    planeSpace: state as unknown as XRSpace,
    orientation: 'horizontal',
    get semanticLabel() {
      return state.label;
    },
    get lastChangedTime() {
      return state.changed;
    },
    get polygon() {
      const h = state.half;
      return [[-h, -0.2], [h, -0.2], [h, 0.2], [-h, 0.2]].map(([x, z]) => ({x, y: 0, z, w: 1}));
    },
  } as unknown as XRPlane;
  return {plane, state};
}

let space: object;
let asked: unknown[];

function frame(...planes: {plane: XRPlane}[]) {
  return {
    detectedPlanes: new Set(planes.map((one) => one.plane)),
    getPose: (of: unknown, base: unknown) => {
      asked.push(base);
      const state = of as Told;
      return {transform: {position: state.at, orientation: state.turn}};
    },
  } as unknown as XRFrame;
}

function extent(plane: DetectedPlane) {
  plane.updateMatrixWorld(true);
  const box = new THREE.Box3().setFromObject(plane, true);
  return {size: box.getSize(new THREE.Vector3()), middle: box.getCenter(new THREE.Vector3())};
}

function expectVector(actual: THREE.Vector3, expected: [number, number, number]) {
  expect(actual.distanceTo(new THREE.Vector3(...expected))).toBeLessThan(1e-4);
}

let detector: PlaneDetector;
beforeEach(() => {
  space = {};
  asked = [];
  detector = new PlaneDetector();
  detector.init({
    options: new WorldOptions(),
    renderer: {xr: {getReferenceSpace: () => space}} as unknown as THREE.WebGLRenderer,
  });
});

describe('planes', () => {
  it('are known when they come after frames without any', () => {
    for (let i = 0; i < 5; i++) detector.update(i, frame());
    expect(detector.get()).toHaveLength(0);
    detector.update(5, frame(xrPlane()));
    expect(detector.get('table')).toHaveLength(1);
    expectVector(extent(detector.get()[0]).middle, [0, 0.7, -1]);
  });

  it('are replaced when one goes and another comes', () => {
    const first = xrPlane();
    const second = xrPlane({label: 'desk', at: new THREE.Vector3(1, 0.9, 0)});
    detector.update(0, frame(first));
    detector.update(1, frame(second));
    expect(detector.get().map((one) => one.label)).toEqual(['desk']);
    expect(detector.children).toHaveLength(1);
    detector.update(2, frame());
    expect(detector.get()).toHaveLength(0);
  });

  it('take on a new outline, and lie as before', () => {
    const one = xrPlane();
    detector.update(0, frame(one));
    const mesh = detector.get()[0];
    expectVector(extent(mesh).size, [1, 0, 0.4]);
    for (const [half, changed] of [[0.8, 2], [0.3, 3]]) {
      Object.assign(one.state, {half, changed});
      detector.update(changed, frame(one));
      expect(detector.get()[0]).toBe(mesh);
      expectVector(extent(mesh).size, [2 * half, 0, 0.4]);
    }
  });

  it('follow their poses, which headsets do not count as a change', () => {
    const one = xrPlane();
    detector.update(0, frame(one));
    one.state.at = new THREE.Vector3(0.4, 0.9, -1.2);
    one.state.turn = new THREE.Quaternion().setFromAxisAngle(new THREE.Vector3(0, 1, 0), Math.PI / 2);
    detector.update(1, frame(one));
    const {size, middle} = extent(detector.get()[0]);
    expectVector(middle, [0.4, 0.9, -1.2]);
    expectVector(size, [0.4, 0, 1]);
  });

  it('take on a label that the headset gives later', () => {
    const one = xrPlane({label: 'other'});
    detector.update(0, frame(one));
    Object.assign(one.state, {label: 'table', changed: 2});
    detector.update(1, frame(one));
    expect(detector.get('table')).toHaveLength(1);
    expect(detector.get('other')).toHaveLength(0);
  });

  it("are placed in the session's own space, also in a second session", () => {
    const first = space;
    detector.update(0, frame(xrPlane()));
    expect(asked.at(-1)).toBe(first);
    space = {};
    detector.update(1, frame(xrPlane()));
    expect(asked.at(-1)).toBe(space);
  });
});

describe('placement on a surface', () => {
  function place(after: number, timeout: number) {
    let elapsed = 0;
    const planes: DetectedPlane[] = [];
    const camera = new THREE.PerspectiveCamera();
    camera.position.set(0, 1.6, 0);
    camera.rotation.x = -0.5;
    camera.updateMatrixWorld(true);
    const object = new THREE.Mesh(new THREE.BoxGeometry(0.1, 0.1, 0.1));
    const scene = new THREE.Scene();
    scene.add(object);
    const waitFrame = {
      waitFrame: async () => {
        elapsed += 0.02;
        if (elapsed < after || planes.length) return;
        const plane = new DetectedPlane(xrPlane().plane, new THREE.MeshBasicMaterial());
        plane.position.set(0, 0.7, -1);
        plane.updateMatrixWorld(true);
        planes.push(plane);
      },
    } as unknown as WaitFrame;
    const detector = {get: () => planes} as unknown as PlaneDetector;
    const timer = {getElapsed: () => elapsed} as THREE.Timer;
    return placeOnHorizontalSurface(object, camera, scene, detector, undefined, waitFrame, timer, {milliseconds: timeout * 1000}, 9)
      .then((placed) => ({placed, object, elapsed}));
  }

  it('waits for a surface until its timeout', async () => {
    const {placed, object} = await place(1.0, 3);
    expect(placed).toBe(true);
    expect(object.position.y).toBeCloseTo(0.75);
  });

  it('gives up when its timeout is over', async () => {
    const {placed, elapsed} = await place(2.0, 1);
    expect(placed).toBe(false);
    expect(elapsed).toBeGreaterThanOrEqual(1);
    expect(elapsed).toBeLessThan(1.5);
  });
});
