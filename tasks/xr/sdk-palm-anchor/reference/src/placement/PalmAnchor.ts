import * as THREE from 'three';

import {Input} from '../input/Input';
import {TransformScript} from './TransformScript';

export interface PalmAnchorOptions {
  /** Whose palm: that of the hand of which the headset says so. */
  handedness: 'left' | 'right';
  /** Metres from the skin to the object's origin. */
  lift?: number;
}

const FINGERS = ['index', 'middle', 'ring', 'pinky'] as const;
const HIDE_BELOW = Math.cos(THREE.MathUtils.degToRad(75));
const SHOW_ABOVE = Math.cos(THREE.MathUtils.degToRad(60));

type Joint = THREE.Object3D & {jointRadius?: number};

/** Keeps its parent on the skin of a palm, and hides it when nobody sees that. */
export class PalmAnchor extends TransformScript {
  static dependencies = {input: Input, camera: THREE.Camera};

  private input?: Input;
  private camera?: THREE.Camera;
  private readonly handedness: 'left' | 'right';
  private readonly lift: number;
  private readonly metacarpals = new THREE.Vector3();
  private readonly proximals = new THREE.Vector3();
  private readonly origin = new THREE.Vector3();
  private readonly right = new THREE.Vector3();
  private readonly up = new THREE.Vector3();
  private readonly out = new THREE.Vector3();
  private readonly point = new THREE.Vector3();
  private readonly eyes = new THREE.Vector3();
  private readonly matrix4 = new THREE.Matrix4();
  private readonly quaternion4 = new THREE.Quaternion();
  private shown = false;

  constructor(options: PalmAnchorOptions) {
    super();
    this.handedness = options.handedness;
    this.lift = options.lift ?? 0.01;
  }

  init({input, camera}: {input: Input; camera: THREE.Camera}) {
    this.input = input;
    this.camera = camera;
  }

  update() {
    const object = this.parent;
    if (!this.canUpdate || !object) return;
    const hand = this.findHand();
    if (!hand || !this.readPalm(hand)) {
      this.shown = false;
    } else {
      const facing = this.getFacing();
      this.shown = facing > (this.shown ? HIDE_BELOW : SHOW_ABOVE);
      this.place(object);
    }
    object.visible = this.shown;
  }

  private findHand(): THREE.XRHandSpace | undefined {
    const input = this.input;
    return input?.hands.find((hand, slot) => {
      const controller = input.controllers[slot];
      return (
        hand.visible &&
        controller?.userData.connected === true &&
        controller.inputSource?.handedness === this.handedness
      );
    });
  }

  /** Takes the palm's place and axes from the joints, if all are known. */
  private readPalm(hand: THREE.XRHandSpace): boolean {
    this.metacarpals.setScalar(0);
    this.proximals.setScalar(0);
    this.right.setScalar(0);
    let radius = 0;
    for (const finger of FINGERS) {
      for (const part of ['metacarpal', 'phalanx-proximal'] as const) {
        const joint = hand.joints?.[`${finger}-finger-${part}`] as
          | Joint
          | undefined;
        if (!joint?.visible) return false;
        joint.getWorldPosition(this.point);
        radius += (joint.jointRadius ?? 0) / 8;
        const sum =
          part === 'metacarpal' ? this.metacarpals : this.proximals;
        sum.addScaledVector(this.point, 1 / 4);
        if (finger === 'index') this.right.add(this.point);
        if (finger === 'pinky') this.right.sub(this.point);
      }
    }
    // From the little finger to the index finger is to the right, as one looks
    // at a right palm with its fingers up.
    if (this.handedness === 'left') this.right.negate();
    this.up.subVectors(this.proximals, this.metacarpals).normalize();
    this.out.crossVectors(this.right, this.up).normalize();
    this.right.crossVectors(this.up, this.out);
    this.origin
      .addVectors(this.metacarpals, this.proximals)
      .multiplyScalar(0.5)
      .addScaledVector(this.out, radius + this.lift);
    return true;
  }

  /** Cosine of the angle between where the palm looks and the way to the eyes. */
  private getFacing(): number {
    this.camera!.getWorldPosition(this.eyes);
    return this.eyes.sub(this.origin).normalize().dot(this.out);
  }

  private place(object: THREE.Object3D): void {
    const {parent} = object;
    this.matrix4.makeBasis(this.right, this.up, this.out);
    object.quaternion.setFromRotationMatrix(this.matrix4);
    object.position.copy(this.origin);
    if (!parent) return;
    parent.updateWorldMatrix(true, false);
    parent.worldToLocal(object.position);
    object.quaternion.premultiply(
      parent.getWorldQuaternion(this.quaternion4).invert()
    );
  }
}
