import * as THREE from 'three';

import {Input} from '../input/Input';
import {TransformScript} from './TransformScript';

export interface PalmAnchorOptions {
  handedness: 'left' | 'right';
  lift?: number;
}

const JOINTS = ['index', 'middle', 'ring', 'pinky'].flatMap((finger) => [
  `${finger}-finger-metacarpal`,
  `${finger}-finger-phalanx-proximal`,
]) as XRHandJoint[];

/** The palm of a tracked hand as a matrix of the world: y to the fingers, z out. */
function palmOf(
  hand: THREE.XRHandSpace,
  mirror: number,
  lift: number
): THREE.Matrix4 | undefined {
  const joints = JOINTS.map((name) => hand.joints[name]);
  if (joints.some((joint) => !joint || joint.visible === false)) return;
  const places = joints.map((joint) => {
    joint!.updateWorldMatrix(true, false);
    return new THREE.Vector3().setFromMatrixPosition(joint!.matrixWorld);
  });
  const sum = (numbers: number[]) =>
    numbers.reduce(
      (total, index) => total.add(places[index]),
      new THREE.Vector3()
    );
  const y = sum([1, 3, 5, 7]).sub(sum([0, 2, 4, 6])).normalize();
  const x = sum([0, 1]).sub(sum([6, 7])).multiplyScalar(mirror);
  x.addScaledVector(y, -x.dot(y)).normalize();
  const z = x.clone().cross(y);
  const depth =
    joints.reduce((total, joint) => total + (joint!.jointRadius ?? 0), 0) / 8;
  const origin = sum([0, 1, 2, 3, 4, 5, 6, 7])
    .divideScalar(8)
    .addScaledVector(z, depth + lift);
  return new THREE.Matrix4().makeBasis(x, y, z).setPosition(origin);
}

export class PalmAnchor extends TransformScript {
  static dependencies = {input: Input, camera: THREE.Camera};

  private given?: {input: Input; camera: THREE.Camera};
  private limit = 60;

  constructor(private readonly options: PalmAnchorOptions) {
    super();
  }

  init(given: {input: Input; camera: THREE.Camera}) {
    this.given = given;
  }

  update() {
    if (!this.canUpdate || !this.given) return;
    const palm = this.find();
    const angle = palm ? this.angleToEyes(palm) : Infinity;
    this.parent!.visible = angle < this.limit;
    this.limit = angle < this.limit ? 75 : 60;
    if (palm) this.put(this.parent!, palm);
  }

  private find(): THREE.Matrix4 | undefined {
    const {handedness, lift} = this.options;
    const {hands, controllers} = this.given!.input;
    for (let slot = 0; slot < hands.length; slot++) {
      const {inputSource, userData} = controllers[slot];
      if (!userData.connected || !hands[slot].visible) continue;
      if (inputSource?.handedness !== handedness) continue;
      return palmOf(hands[slot], handedness === 'right' ? 1 : -1, lift ?? 0.01);
    }
  }

  private angleToEyes(palm: THREE.Matrix4): number {
    const out = new THREE.Vector3().setFromMatrixColumn(palm, 2);
    const eyes = this.given!.camera.getWorldPosition(new THREE.Vector3());
    eyes.sub(new THREE.Vector3().setFromMatrixPosition(palm));
    return THREE.MathUtils.radToDeg(out.angleTo(eyes));
  }

  private put(object: THREE.Object3D, palm: THREE.Matrix4) {
    object.parent?.updateWorldMatrix(true, false);
    const outer = object.parent?.matrixWorld ?? new THREE.Matrix4();
    palm
      .premultiply(outer.clone().invert())
      .decompose(object.position, object.quaternion, new THREE.Vector3());
  }
}
