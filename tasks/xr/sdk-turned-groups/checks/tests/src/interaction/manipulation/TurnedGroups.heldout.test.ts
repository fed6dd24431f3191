import * as THREE from 'three';
import {beforeEach, describe, expect, it} from 'vitest';

import {ScriptsManager} from '../../core/components/ScriptsManager';
import type {Controller} from '../../input/Controller';
import {Interaction} from '../Interaction';
import type {RaySourceInput} from '../InteractionTypes';

let interaction: Interaction;
let source: Controller;

beforeEach(() => {
  interaction = new Interaction({callbacks: new ScriptsManager(async () => {})});
  source = new THREE.Object3D() as Controller;
  source.userData = {id: 0, connected: true, selected: false};
});

/** An owner at a place of the world, in groups given from the outside in. */
function owner(place: THREE.Vector3, ...groups: THREE.Object3D[]) {
  const scene = new THREE.Scene();
  let parent: THREE.Object3D = scene;
  for (const group of groups) {
    parent.add(group);
    parent = group;
  }
  const made = new THREE.Mesh(new THREE.BoxGeometry(0.1, 0.1, 0.1));
  parent.updateWorldMatrix(true, true);
  made.position.copy(parent.worldToLocal(place.clone()));
  parent.add(made);
  scene.updateMatrixWorld(true);
  return made;
}

function group(turn: [number, number, number], scale = 1, position: [number, number, number] = [0.3, -0.2, 0.5]) {
  const made = new THREE.Group();
  made.position.set(...position);
  made.rotation.set(...turn);
  made.scale.setScalar(scale);
  return made;
}

function input(selected: boolean, at: THREE.Vector3, object: THREE.Object3D, kind: RaySourceInput['sourceType'] = 'hand-ray'): RaySourceInput {
  source.userData.selected = selected;
  return {
    controller: source,
    sourceType: kind,
    selected,
    ray: new THREE.Ray(at.clone(), new THREE.Vector3(0, 0, -1)),
    intersections: [{distance: 1, object, point: at.clone().add(new THREE.Vector3(0, 0, -1))}],
    position: at.clone(),
    orientation: new THREE.Quaternion(),
  };
}

function drag(object: THREE.Object3D, ...steps: THREE.Vector3[]) {
  const at = new THREE.Vector3();
  const update = (selected: boolean) => interaction.update({raySources: [input(selected, at, object)], directTouches: []}, 1 / 60);
  update(false);
  update(true);
  for (const step of steps) {
    at.add(step);
    update(true);
  }
  update(false);
}

function way(object: THREE.Object3D, ...steps: THREE.Vector3[]) {
  const before = object.getWorldPosition(new THREE.Vector3());
  drag(object, ...steps);
  return object.getWorldPosition(new THREE.Vector3()).sub(before);
}

function expectVector(actual: THREE.Vector3, expected: THREE.Vector3) {
  expect(actual.distanceTo(expected)).toBeLessThan(1e-4);
}

const STEPS = [new THREE.Vector3(0.2, 0.05, 0), new THREE.Vector3(-0.05, 0.1, -0.15)];
const WHOLE = STEPS[0].clone().add(STEPS[1]);
const PLACE = new THREE.Vector3(0, 0, -1);

describe('translation', () => {
  const place = {manipulation: {actions: {translate: true}}};
  it.each([
    ['turned about y', [group([0, 2, 0])]],
    ['tilted', [group([0.6, 0.2, -0.9])]],
    ['scaled', [group([0, 0, 0], 0.25)]],
    ['tilted, scaled and nested', [group([0, 1.2, 0], 2), group([0.7, 0, 0.1], 0.3)]],
  ])('keeps pace with its source in a group that is %s', (_, groups) => {
    const object = owner(PLACE, ...groups);
    object.xb = place;
    expectVector(way(object, ...STEPS), WHOLE);
  });

  it('keeps pace in no group', () => {
    const object = owner(PLACE);
    object.xb = place;
    expectVector(way(object, ...STEPS), WHOLE);
  });

  it('tells of the local and the world position alike', () => {
    const object = owner(PLACE, group([0.4, 0.9, 0], 3));
    object.xb = place;
    drag(object, ...STEPS);
    object.updateWorldMatrix(true, false);
    const world = object.getWorldPosition(new THREE.Vector3());
    expectVector(object.parent!.localToWorld(object.position.clone()), world);
    expectVector(world, PLACE.clone().add(WHOLE));
  });

  it('keeps pace while the group moves', () => {
    const moving = group([0, 0.3, 0]);
    const object = owner(PLACE, moving);
    object.xb = place;
    const at = new THREE.Vector3();
    const update = (selected: boolean) => interaction.update({raySources: [input(selected, at, object)], directTouches: []}, 1 / 60);
    update(false);
    update(true);
    for (const step of STEPS) {
      moving.rotation.y += 0.4;
      moving.position.x += 0.1;
      at.add(step);
      update(true);
    }
    expectVector(object.getWorldPosition(new THREE.Vector3()), PLACE.clone().add(WHOLE));
  });
});

describe('rotation about a world axis', () => {
  function turned(axis: 'x' | 'y' | 'z', ...groups: THREE.Object3D[]) {
    const object = owner(PLACE, ...groups);
    object.rotation.set(0.3, -0.2, 0.5);
    object.xb = {manipulation: {actions: {rotate: {axis, sensitivity: 4}}}};
    const before = object.getWorldQuaternion(new THREE.Quaternion());
    drag(object, new THREE.Vector3(0.1, 0, 0), new THREE.Vector3(0.1, 0, 0));
    const unit = new THREE.Vector3(+(axis === 'x'), +(axis === 'y'), +(axis === 'z'));
    const expected = new THREE.Quaternion().setFromAxisAngle(unit, 0.8).multiply(before);
    return object.getWorldQuaternion(new THREE.Quaternion()).angleTo(expected);
  }

  it.each(['x', 'y', 'z'] as const)('turns about %s in a tilted group', (axis) => {
    expect(turned(axis, group([0.6, 0.2, -0.9]))).toBeLessThan(1e-3);
  });

  it.each(['x', 'y', 'z'] as const)('turns about %s in nested groups', (axis) => {
    expect(turned(axis, group([0, 1.1, 0.2], 2), group([0.7, 0, 0.1], 0.3))).toBeLessThan(1e-3);
  });

  it('turns about y in no group', () => {
    expect(turned('y')).toBeLessThan(1e-3);
  });
});
