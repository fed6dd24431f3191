// Both hands by handedness: the palm's frame, and which of the four poses the fingers are in.
import * as THREE from "three";

const FINGERS = ["index-finger", "middle-finger", "ring-finger", "pinky-finger"];

// Each pose by what is measured (metres): when it begins, and, where it has begun, how long it goes on.
const POSES = {
  open: [({ average }) => average >= 0.112, ({ average }) => average >= 0.109],
  fist: [({ longest, thumb }) => longest <= 0.06 && thumb <= 0.08, ({ longest, thumb }) => longest <= 0.07 && thumb <= 0.09],
  "thumbs-up": [({ longest, thumb }) => longest <= 0.06 && thumb >= 0.11, ({ longest, thumb }) => longest <= 0.07 && thumb >= 0.1],
  pinch: [({ gap, others }) => gap <= 0.025 && others >= 0.085, ({ gap, others }) => gap <= 0.035 && others >= 0.08],
};
export const KNOWN = Object.keys(POSES);

const mean = (points) => points.reduce((sum, one) => sum.addScaledVector(one, 1 / points.length), new THREE.Vector3());

class HandState {
  tracked = false;
  source = null; // three's hand space
  tip = new THREE.Vector3(); // of the index finger
  palm = { position: new THREE.Vector3(), normal: new THREE.Vector3(), quaternion: new THREE.Quaternion() };
  poses = new Set();

  constructor(side) {
    this.side = side;
  }

  read() {
    const joints = this.source?.joints;
    this.tracked = Boolean(joints?.wrist?.visible && this.source.visible);
    if (!this.tracked) return;
    const at = (name) => joints[name].getWorldPosition(new THREE.Vector3());
    const roots = FINGERS.map((finger) => at(`${finger}-metacarpal`)), knuckles = FINGERS.map((finger) => at(`${finger}-phalanx-proximal`));
    const tips = FINGERS.map((finger) => at(`${finger}-tip`)), middle = mean([...roots, ...knuckles]);
    this.tip.copy(tips[0]);
    this.#turn(mean(roots), mean(knuckles), knuckles, middle, joints["middle-finger-metacarpal"].jointRadius ?? 0.012);
    const reach = tips.map((tip) => tip.distanceTo(middle)), thumb = at("thumb-tip");
    this.#recognise({
      average: reach.reduce((sum, one) => sum + one / 4, 0), longest: Math.max(...reach), others: (reach[1] + reach[2] + reach[3]) / 3,
      thumb: thumb.distanceTo(knuckles[3]), gap: thumb.distanceTo(tips[0]),
    });
  }

  #turn(root, knuckle, knuckles, middle, depth) {
    const { position, normal, quaternion } = this.palm;
    const up = knuckle.clone().sub(root).normalize(); // to the fingers
    const across = this.side === "left" ? knuckles[3].clone().sub(knuckles[0]) : knuckles[0].clone().sub(knuckles[3]);
    normal.crossVectors(across, up).normalize(); // out of the palm
    position.copy(middle).addScaledVector(normal, depth);
    quaternion.setFromRotationMatrix(new THREE.Matrix4().makeBasis(up.clone().cross(normal), up, normal));
  }

  #recognise(measured) {
    for (const [name, [begins, lasts]] of Object.entries(POSES)) {
      if ((this.poses.has(name) ? lasts : begins)(measured)) this.poses.add(name);
      else this.poses.delete(name);
    }
  }
}

export class Hands {
  constructor(renderer, scene) {
    this.left = new HandState("left");
    this.right = new HandState("right");
    this.all = [this.left, this.right];
    for (const index of [0, 1]) {
      const space = renderer.xr.getHand(index);
      scene.add(space);
      space.addEventListener("connected", ({ data }) => data.hand && this[data.handedness] && (this[data.handedness].source = space));
      space.addEventListener("disconnected", () => this.all.forEach((hand) => hand.source === space && (hand.source = null)));
    }
  }

  read() {
    for (const hand of this.all) hand.read();
  }
}
