// Both hands, by handedness, read from each frame: where a pinch closes, the tip of the index finger, the palm.
import * as THREE from "three";

const FINGERS = ["index-finger", "middle-finger", "ring-finger", "pinky-finger"];
const STRETCHED = 0.065; // metres from the index finger's root to its tip, of a finger that points
const CURLED = 0.075; // metres from three tips to the palm's middle, on average, of a closed hand
const mean = (points) => points.reduce((sum, one) => sum.addScaledVector(one, 1 / points.length), new THREE.Vector3());

class Hand {
  tracked = false;
  pinching = false;
  pressed = false; // what the device last said
  closed = false;
  pointing = false;
  pinch = new THREE.Vector3();
  tip = new THREE.Vector3();
  palm = { position: new THREE.Vector3(), normal: new THREE.Vector3(), quaternion: new THREE.Quaternion() };

  constructor(side) {
    this.side = side;
  }
}

export class Hands {
  left = new Hand("left");
  right = new Hand("right");
  all = [this.left, this.right];

  listen(session) {
    const press = (down) => ({ inputSource }) => {
      if (inputSource.hand && this[inputSource.handedness]) this[inputSource.handedness].pressed = down;
    };
    session.addEventListener("selectstart", press(true));
    session.addEventListener("selectend", press(false));
  }

  update(frame, space) {
    for (const hand of this.all) hand.tracked = false;
    for (const source of frame.session.inputSources) {
      const hand = source.hand && this[source.handedness];
      if (hand) this.#read(hand, source.hand, frame, space);
    }
    for (const hand of this.all) {
      if (!hand.tracked) hand.pressed = false;
      hand.pinching = hand.tracked && hand.pressed;
    }
  }

  #read(hand, joints, frame, space) {
    const pose = (name) => frame.getJointPose(joints.get(name), space);
    if (!pose("wrist") || !pose("index-finger-tip")) return;
    const at = (name) => new THREE.Vector3().copy(pose(name).transform.position);
    hand.tracked = true;
    hand.tip.copy(at("index-finger-tip"));
    hand.pinch.lerpVectors(at("thumb-tip"), hand.tip, 0.5);
    const roots = FINGERS.map((finger) => at(`${finger}-metacarpal`)), knuckles = FINGERS.map((finger) => at(`${finger}-phalanx-proximal`));
    const up = mean(knuckles).sub(mean(roots)).normalize(); // to the fingers
    const across = hand.side === "left" ? knuckles[3].clone().sub(knuckles[0]) : knuckles[0].clone().sub(knuckles[3]);
    const { position, normal, quaternion } = hand.palm, middle = mean([...roots, ...knuckles]);
    normal.crossVectors(across, up).normalize(); // out of the palm
    position.copy(middle).addScaledVector(normal, pose("middle-finger-metacarpal").radius ?? 0.012);
    quaternion.setFromRotationMatrix(new THREE.Matrix4().makeBasis(up.clone().cross(normal), up, normal));
    hand.pointing = knuckles[0].distanceTo(hand.tip) > STRETCHED;
    hand.closed = mean(FINGERS.slice(1).map((finger) => at(`${finger}-tip`))).distanceTo(middle) < CURLED;
  }
}
