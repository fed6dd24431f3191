import * as THREE from 'three';
import {beforeEach, describe, expect, it} from 'vitest';

import * as placement from './PalmAnchor';

const FINGERS = ['index', 'middle', 'ring', 'pinky'] as const;
const PARTS = ['metacarpal', 'phalanx-proximal', 'tip'] as const;
const RADIUS = 0.01;

type Side = 'left' | 'right';
interface Placed extends THREE.Object3D {
  init(given: object): void;
  update(): void;
}

let camera: THREE.PerspectiveCamera;
let scene: THREE.Scene;
let hands: THREE.Group[];
let controllers: THREE.Group[];

/** A hand in a slot: fingers up, the palm to +z; `at` is the mean of its metacarpal and proximal joints. */
function makeHand(slot: number, side: Side) {
  const hand = hands[slot] as THREE.Group & {joints: Record<string, THREE.Object3D>};
  hand.clear();
  hand.joints = {};
  const wrist = new THREE.Group();
  wrist.position.set(0, -0.08, 0);
  hand.joints.wrist = wrist;
  hand.add(wrist);
  for (const [index, finger] of FINGERS.entries()) {
    for (const [row, part] of PARTS.entries()) {
      const joint = new THREE.Group() as THREE.Group & {jointRadius: number};
      // A right palm that is looked at has its index finger to the right.
      joint.position.set((index - 1.5) * 0.02 * (side === 'right' ? -1 : 1), [-0.03, 0.03, 0.11][row], 0);
      joint.jointRadius = RADIUS;
      hand.joints[`${finger}-finger-${part}`] = joint;
      hand.add(joint);
    }
  }
  hand.visible = true;
  connect(slot, side);
  return hand;
}

function connect(slot: number, side: Side | undefined) {
  controllers[slot].userData.connected = side !== undefined;
  Object.assign(controllers[slot], {inputSource: side ? {handedness: side, hand: {}} : undefined});
  const data = {handedness: side};
  const type = side ? 'connected' : 'disconnected';
  for (const space of [controllers[slot], hands[slot]]) space.dispatchEvent({type, data} as never);
}

function place(hand: THREE.Object3D, x: number, y: number, z: number, turn = 0) {
  hand.position.set(x, y, z);
  hand.rotation.set(0, THREE.MathUtils.degToRad(turn), 0);
  hand.updateMatrixWorld(true);
}

function anchored(side: Side, options: object = {}, group?: THREE.Object3D) {
  const card = new THREE.Object3D();
  card.scale.setScalar(2);
  const made = placement as unknown as {PalmAnchor: new (options: object) => Placed};
  const anchor = new made.PalmAnchor({handedness: side, ...options});
  card.add(anchor);
  (group ?? scene).add(card);
  if (group) scene.add(group);
  scene.updateMatrixWorld(true);
  anchor.init({input: {hands, controllers}, camera});
  const update = () => {
    anchor.update();
    scene.updateMatrixWorld(true);
  };
  return {card, anchor, update};
}

function expectAt(card: THREE.Object3D, wanted: [number, number, number]) {
  expect(card.getWorldPosition(new THREE.Vector3()).distanceTo(new THREE.Vector3(...wanted))).toBeLessThan(1e-4);
}

function axis(card: THREE.Object3D, x: number, y: number, z: number) {
  return new THREE.Vector3(x, y, z).applyQuaternion(card.getWorldQuaternion(new THREE.Quaternion()));
}

beforeEach(() => {
  scene = new THREE.Scene();
  camera = new THREE.PerspectiveCamera();
  camera.position.set(0, 0, 1);
  scene.add(camera);
  hands = [new THREE.Group(), new THREE.Group()];
  controllers = [new THREE.Group(), new THREE.Group()];
  hands.forEach((hand) => {
    hand.visible = false;
    Object.assign(hand, {joints: {}});
  });
  scene.add(...hands, ...controllers);
});

describe('place', () => {
  it.each(['left', 'right'] as const)('is on the skin of a %s palm', (side) => {
    const hand = makeHand(0, side);
    place(hand, 0.1, 0.2, -0.3);
    const {card, update} = anchored(side);
    update();
    expectAt(card, [0.1, 0.2, -0.3 + RADIUS + 0.01]);
    expect(axis(card, 0, 0, 1).z).toBeCloseTo(1);
    expect(axis(card, 0, 1, 0).y).toBeCloseTo(1);
    expect(card.scale.x).toBe(2);
    expect(card.visible).toBe(true);
  });

  it('is lifted from it as far as is wished', () => {
    const hand = makeHand(0, 'right');
    place(hand, 0, 0, 0);
    const {card, update} = anchored('right', {lift: 0.05});
    update();
    expectAt(card, [0, 0, RADIUS + 0.05]);
  });

  it('does not go with the fingers, nor with the wrist', () => {
    const hand = makeHand(0, 'right') as THREE.Group & {joints: Record<string, THREE.Object3D>};
    place(hand, 0, 0, 0);
    for (const finger of FINGERS) hand.joints[`${finger}-finger-tip`].position.set(0, 0, 0.08);
    hand.joints.wrist.position.set(0.02, -0.05, 0.03);
    const {card, update} = anchored('right');
    update();
    expectAt(card, [0, 0, RADIUS + 0.01]);
  });

  it.each(['left', 'right'] as const)('turns with a %s palm, in groups that are turned and scaled', (side) => {
    const hand = makeHand(1, side);
    place(hand, -0.2, 0.1, 0.3, 40);
    const group = new THREE.Group();
    group.position.set(1, 2, 3);
    group.rotation.set(0.3, -0.8, 0.5);
    group.scale.setScalar(0.5);
    const {card, update} = anchored(side, {}, group);
    update();
    const out = new THREE.Vector3(Math.sin((40 * Math.PI) / 180), 0, Math.cos((40 * Math.PI) / 180));
    expectAt(card, [-0.2 + out.x * 0.02, 0.1, 0.3 + out.z * 0.02]);
    expect(axis(card, 0, 0, 1).dot(out)).toBeCloseTo(1);
    expect(axis(card, 0, 1, 0).y).toBeCloseTo(1);
    expect(card.scale.x).toBe(2);
  });

  it('is on the hand of its side, whatever the slot', () => {
    place(makeHand(0, 'right'), 0.3, 0, 0);
    place(makeHand(1, 'left'), -0.3, 0, 0);
    const [left, right] = [anchored('left'), anchored('right')];
    left.update();
    right.update();
    expect(left.card.getWorldPosition(new THREE.Vector3()).x).toBeCloseTo(-0.3);
    expect(right.card.getWorldPosition(new THREE.Vector3()).x).toBeCloseTo(0.3);
  });
});

describe('hiding', () => {
  it('comes when the palm looks away, and goes when it looks back', () => {
    const hand = makeHand(0, 'right');
    const {card, update} = anchored('right');
    const seen = [0, 55, 70, 80, 70, 55, 180, 65, 0].map((turn) => {
      place(hand, 0, 0, 0, turn);
      update();
      return card.visible;
    });
    expect(seen).toEqual([true, true, true, false, false, true, false, false, true]);
  });

  it('comes with a hand that is lost, and of which a joint is', () => {
    const hand = makeHand(0, 'right') as THREE.Group & {joints: Record<string, THREE.Object3D>};
    place(hand, 0, 0, 0);
    const {card, update} = anchored('right');
    update();
    expect(card.visible).toBe(true);
    hand.visible = false;
    update();
    expect(card.visible).toBe(false);
    hand.visible = true;
    update();
    expect(card.visible).toBe(true);
    hand.joints['ring-finger-metacarpal'].visible = false;
    update();
    expect(card.visible).toBe(false);
  });

  it('is how it begins without a hand, or with the other', () => {
    const {card, update} = anchored('right');
    update();
    expect(card.visible).toBe(false);
    place(makeHand(0, 'left'), 0, 0, 0);
    update();
    expect(card.visible).toBe(false);
    connect(0, undefined);
    hands[0].visible = false;
    place(makeHand(0, 'right'), 0, 0, 0);
    update();
    expect(card.visible).toBe(true);
  });
});
