import * as THREE from 'three';
import {beforeEach, describe, expect, it} from 'vitest';

import {Script} from '../../core/Script';
import {ScriptsManager} from '../../core/components/ScriptsManager';
import type {Controller} from '../../input/Controller';
import {Interaction} from '../Interaction';
import type {RaySourceInput} from '../InteractionTypes';
import type {ManipulationEvent, TranslateManipulationEvent, TranslateOptions} from './ManipulationTypes';

let callbacks: ScriptsManager;
let interaction: Interaction;
let source: Controller;

class Owner extends Script {
  events: TranslateManipulationEvent[] = [];
  onObjectManipulate(event: ManipulationEvent) {
    if (event.action === 'translate') this.events.push(event);
  }
}

beforeEach(() => {
  callbacks = new ScriptsManager(async () => {});
  interaction = new Interaction({callbacks});
  source = new THREE.Object3D() as Controller;
  source.userData = {id: 0, connected: true, selected: false};
});

const PLACE = new THREE.Vector3(0.2, 0.1, -1);

async function owner(translate: TranslateOptions, group?: THREE.Group) {
  const scene = new THREE.Scene();
  const parent = group ?? scene;
  if (group) scene.add(group);
  scene.updateMatrixWorld(true);
  const made = new Owner();
  made.add(new THREE.Mesh(new THREE.BoxGeometry(0.1, 0.1, 0.1)));
  made.position.copy(parent.worldToLocal(PLACE.clone()));
  made.xb = {manipulation: {actions: {translate}}};
  parent.add(made);
  scene.updateMatrixWorld(true);
  await callbacks.initScript(made);
  return made;
}

function tilted() {
  const group = new THREE.Group();
  group.position.set(0.3, -0.2, 0.5);
  group.rotation.set(0.4, 0.9, -0.3);
  group.scale.setScalar(0.5);
  return group;
}

function drag(object: Owner, ...steps: [number, number, number][]) {
  const at = new THREE.Vector3();
  const update = (selected: boolean) => {
    source.userData.selected = selected;
    const input: RaySourceInput = {
      controller: source,
      sourceType: 'hand-ray',
      selected,
      ray: new THREE.Ray(at.clone(), new THREE.Vector3(0, 0, -1)),
      intersections: [{distance: 1, object: object.children[0], point: at.clone().add(new THREE.Vector3(0, 0, -1))}],
      position: at.clone(),
      orientation: new THREE.Quaternion(),
    };
    interaction.update({raySources: [input], directTouches: []}, 1 / 60);
  };
  update(false);
  update(true);
  for (const step of steps) {
    at.add(new THREE.Vector3(...step));
    update(true);
  }
  update(false);
}

function expectVector(actual: THREE.Vector3, expected: THREE.Vector3 | [number, number, number]) {
  const wanted = Array.isArray(expected) ? new THREE.Vector3(...expected) : expected;
  expect(actual.distanceTo(wanted)).toBeLessThan(1e-4);
}

const world = (object: THREE.Object3D) => object.getWorldPosition(new THREE.Vector3());
const way = (object: THREE.Object3D) => world(object).sub(PLACE);

describe('along', () => {
  it.each([
    ['x', [0.3, 0, 0]],
    ['y', [0, 0.2, 0]],
    ['xz', [0.3, 0, -0.1]],
    ['xyz', [0.3, 0.2, -0.1]],
  ] as const)('%s of the world', async (along, wanted) => {
    const object = await owner({along}, tilted());
    drag(object, [0.1, 0.1, 0], [0.2, 0.1, -0.1]);
    expectVector(way(object), wanted as unknown as [number, number, number]);
  });

  it("an axis of the parent's frame", async () => {
    const group = tilted();
    const object = await owner({along: 'z', space: 'parent'}, group);
    const before = object.position.clone();
    drag(object, [0.1, 0.1, 0], [0.2, 0.1, -0.1]);
    const axis = new THREE.Vector3(0, 0, 1).transformDirection(group.matrixWorld);
    const wanted = axis.clone().multiplyScalar(axis.dot(new THREE.Vector3(0.3, 0.2, -0.1)));
    expectVector(way(object), wanted);
    expect(object.position.x).toBeCloseTo(before.x);
    expect(object.position.y).toBeCloseTo(before.y);
  });

  it('nothing in particular, as before', async () => {
    const object = await owner({}, tilted());
    drag(object, [0.1, 0.1, 0], [0.2, 0.1, -0.1]);
    expectVector(way(object), [0.3, 0.2, -0.1]);
  });
});

describe('limits', () => {
  it('hold an object, and let it come back with its source', async () => {
    const object = await owner({along: 'x', max: {x: 0.3}});
    drag(object, [0.4, 0, 0]);
    expectVector(way(object), [0.1, 0, 0]);
    drag(object, [0.4, 0, 0], [-0.45, 0, 0]);
    expectVector(way(object), [0.05, 0, 0]);
  });

  it('hold one component and leave the others', async () => {
    const object = await owner({min: {y: 0}, max: {y: 0.15}});
    drag(object, [0.1, 0.3, -0.2]);
    expectVector(way(object), [0.1, 0.05, -0.2]);
    drag(object, [0, -0.5, 0]);
    expectVector(world(object), [0.3, 0, -1.2]);
  });

  it("are in the parent's frame with its axes", async () => {
    const group = tilted();
    const object = await owner({along: 'x', space: 'parent', min: {x: -10}, max: {x: 0.2}}, group);
    object.position.set(0, 0.4, 0);
    group.updateMatrixWorld(true);
    drag(object, [2, 0, 0]);
    expectVector(object.position, [0.2, 0.4, 0]);
  });

  it('do not pull an object that is beyond them before it is dragged', async () => {
    const object = await owner({along: 'y', max: {x: 0}});
    drag(object, [0.1, 0.2, 0]);
    expectVector(way(object), [0, 0.2, 0]);
  });
});

describe('events', () => {
  it('tell of where the object is', async () => {
    const object = await owner({along: 'x', max: {x: 0.3}}, tilted());
    drag(object, [0.05, 0.2, 0], [0.4, 0, 0]);
    const updates = object.events.filter((event) => event.phase === 'update');
    expect(updates.length).toBeGreaterThanOrEqual(2);
    const last = updates.at(-1)!;
    expectVector(last.delta, [0.1, 0, 0]);
    expectVector(last.worldPosition, PLACE.clone().add(last.delta));
    expectVector(last.position, object.position);
  });
});

describe('options that cannot be', () => {
  it.each([
    {along: 'x', min: {x: 1}, max: {x: 0}},
    {along: 'w'},
    {along: ''},
    {along: 'xx'},
    {along: 'x', space: 'moon'},
    {max: {y: NaN}},
  ] as unknown as TranslateOptions[])('start no drag: %o', async (translate) => {
    const object = await owner(translate);
    drag(object, [0.1, 0.1, 0]);
    expectVector(way(object), [0, 0, 0]);
    expect(object.events).toHaveLength(0);
  });
});
