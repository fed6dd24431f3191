import * as THREE from 'three';
import {beforeEach, describe, expect, it} from 'vitest';

import {Options} from '../core/Options';
import type {User} from '../core/User';
import {XRSystems} from '../core/components/XRSystems';
import {WebXRHandPoseEstimator} from './gestures/poseEstimators/WebXRHandPoseEstimator';
import {Handedness, Hands} from './Hands';
import {Input} from './Input';

/** The three spaces of a slot, as three.js has them: an event goes to all of them. */
function slot() {
  const made = {ray: new THREE.Group(), grip: new THREE.Group(), hand: new THREE.Group() as unknown as THREE.XRHandSpace};
  (made.hand as unknown as {joints: object}).joints = {};
  made.hand.visible = false;
  return made;
}

let slots: ReturnType<typeof slot>[];
let input: Input;
let hands: Hands;

beforeEach(() => {
  slots = [slot(), slot()];
  input = new Input();
  const options = new Options().enableHands();
  options.controllers.visualization = false;
  options.controllers.visualizeRays = false;
  options.hands.visualization = false;
  input.init({
    systemsGroup: new XRSystems(),
    options,
    renderer: {
      xr: {
        getController: (index: number) => slots[index].ray,
        getControllerGrip: (index: number) => slots[index].grip,
        getHand: (index: number) => slots[index].hand,
      },
    } as unknown as THREE.WebGLRenderer,
  });
  hands = new Hands(input.hands);
});

function tell(index: number, type: 'connected' | 'disconnected', handedness: 'left' | 'right', hand = true) {
  const data = {handedness, hand: hand ? new Map() : undefined, targetRayMode: 'tracked-pointer'};
  const one = slots[index];
  for (const space of [one.ray, one.grip, one.hand]) {
    space.dispatchEvent({type, data} as unknown as THREE.BaseEvent<never>);
    space.visible = type === 'connected';
  }
}

/** A tracked hand in a slot, whose joints lie at x. */
function connect(index: number, side: 'left' | 'right', x: number) {
  const joints = (slots[index].hand as unknown as {joints: Record<string, THREE.Object3D>}).joints;
  for (const name of ['wrist', 'index-finger-tip', 'thumb-tip']) {
    joints[name] ??= new THREE.Group();
    joints[name].position.set(x, 1, 0);
    slots[index].hand.add(joints[name]);
  }
  tell(index, 'connected', side);
  slots[index].hand.updateMatrixWorld(true);
}

const x = (side: Handedness) => hands.getIndexTip(side)?.position.x;

describe('hands by side', () => {
  it('are where the headset says, in the usual order', () => {
    connect(0, 'left', -1);
    connect(1, 'right', 1);
    expect([x(Handedness.LEFT), x(Handedness.RIGHT)]).toEqual([-1, 1]);
    expect([hands.isValid(), hands.isValid(0), hands.isValid(1)]).toEqual([true, true, true]);
  });

  it('are where the headset says, in the other order', () => {
    connect(0, 'right', 1);
    connect(1, 'left', -1);
    expect([x(Handedness.LEFT), x(Handedness.RIGHT)]).toEqual([-1, 1]);
    expect(hands.getWrist()?.position.x).toBe(1);
    expect(input.leftController).toBe(slots[1].ray);
    expect(input.rightController).toBe(slots[0].ray);
  });

  it('are absent while they are not tracked', () => {
    connect(0, 'right', 1);
    expect(x(Handedness.LEFT)).toBeUndefined();
    expect(hands.getWrist(Handedness.LEFT)).toBeUndefined();
    expect([hands.isValid(), hands.isValid(0), hands.isValid(1)]).toEqual([false, false, true]);
    tell(0, 'disconnected', 'right');
    expect(x(Handedness.RIGHT)).toBeUndefined();
    expect(hands.isValid(1)).toBe(false);
    expect(input.rightController).toBeUndefined();
    connect(0, 'left', -1);
    expect([x(Handedness.LEFT), x(Handedness.RIGHT)]).toEqual([-1, undefined]);
  });

  it('are none while controllers are held', () => {
    connect(0, 'left', -1);
    tell(0, 'disconnected', 'left');
    tell(0, 'connected', 'left', false);
    expect(x(Handedness.LEFT)).toBeUndefined();
    expect(input.leftController).toBe(slots[0].ray);
  });

  it('are told in one order, the left one first', () => {
    connect(0, 'right', 1);
    connect(1, 'left', -1);
    const told = hands.toPositionQuaternionArray();
    expect(told).toHaveLength(2 * 25 * 7);
    expect(told.slice(0, 3)).toEqual([-1, 1, 0]);
    expect(told.slice(25 * 7, 25 * 7 + 3)).toEqual([1, 1, 0]);
    tell(1, 'disconnected', 'left');
    expect(hands.toPositionQuaternionArray().slice(0, 25 * 7).every((one) => one === 0)).toBe(true);
  });

  it('stay by slot where nothing was ever told, as in the simulator', () => {
    const plain = [-1, 1].map((at) => {
      const tip = new THREE.Object3D();
      tip.position.x = at;
      return {joints: {'index-finger-tip': tip}} as unknown as THREE.XRHandSpace;
    });
    const untold = new Hands(plain);
    expect(untold.getIndexTip(Handedness.LEFT)?.position.x).toBe(-1);
    expect(untold.getIndexTip(Handedness.RIGHT)?.position.x).toBe(1);
    expect(untold.isValid()).toBe(true);
  });
});

describe('what follows from it', () => {
  it('gives gestures the hand of their side', () => {
    const estimator = new WebXRHandPoseEstimator({hands} as unknown as User);
    connect(0, 'right', 1);
    const context = estimator.getHandContext(Handedness.RIGHT);
    expect(context?.handLabel).toBe('right');
    expect(context?.getJoint('wrist')?.x).toBe(1);
    expect(estimator.getHandContext(Handedness.LEFT)).toBeNull();
    tell(0, 'disconnected', 'right');
    expect(estimator.getHandContext(Handedness.RIGHT)).toBeNull();
  });

  it('lets a lost hand touch nothing', () => {
    const touches = () => {
      input.sampleSources();
      return input.getFrame().directTouches.map((one) => one.point.x);
    };
    connect(0, 'left', -1);
    connect(1, 'right', 1);
    expect(touches()).toEqual([-1, 1]);
    tell(0, 'disconnected', 'left');
    expect(touches()).toEqual([1]);
    connect(0, 'left', -2);
    expect(touches()).toEqual([-2, 1]);
  });
});
