// Panels with words, drawn on a canvas, and the ring on the palm; `userData.text` says what can be read.
import * as THREE from "three";

const DOTS = 1400; // to the metre
const INK = "#0d3b3a", PAPER = "#eefaf7ee", ACCENT = "#0f766e";

export class Panel {
  #canvas = document.createElement("canvas");

  constructor(name, width, lineHeight, lines, thick = 0) {
    const height = lineHeight * lines;
    Object.assign(this.#canvas, { width: Math.round(width * DOTS), height: Math.round(height * DOTS) });
    this.lines = lines;
    this.texture = new THREE.CanvasTexture(this.#canvas);
    this.texture.colorSpace = THREE.SRGBColorSpace;
    const face = new THREE.MeshBasicMaterial({ map: this.texture, transparent: true });
    const edge = new THREE.MeshBasicMaterial({ color: ACCENT });
    this.mesh = thick
      ? new THREE.Mesh(new THREE.BoxGeometry(width, height, thick), [edge, edge, edge, edge, face, edge])
      : new THREE.Mesh(new THREE.PlaneGeometry(width, height), face);
    this.mesh.name = name;
    this.mesh.visible = false;
  }

  say(...said) {
    const text = said.join(". ");
    if (this.mesh.userData.text === text) return;
    this.mesh.userData.text = text;
    const { width, height } = this.#canvas, pen = this.#canvas.getContext("2d"), unit = height / this.lines;
    pen.clearRect(0, 0, width, height);
    pen.fillStyle = PAPER;
    pen.beginPath();
    pen.roundRect(0, 0, width, height, unit * 0.4);
    pen.fill();
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    const top = (this.lines - said.length) / 2;
    said.forEach((line, index) => {
      pen.fillStyle = index ? INK : ACCENT;
      pen.font = `${index ? "" : "600 "}${unit * 0.9}px system-ui, sans-serif`;
      pen.fillText(line, width / 2, unit * (top + index + 0.5), width * 0.94);
    });
    this.texture.needsUpdate = true;
  }
}

const SEGMENTS = 60;

/** A ring that fills as a pose is held; it lies before the palm and is seen through the fingers that close over it. */
export class Ring {
  constructor() {
    const through = { transparent: true, depthTest: false, side: THREE.DoubleSide };
    this.mesh = new THREE.Mesh(new THREE.RingGeometry(0.026, 0.034, SEGMENTS), new THREE.MeshBasicMaterial({ color: "#c7d7d4", opacity: 0.6, ...through }));
    this.mesh.name = "ring";
    this.mesh.visible = false;
    this.mesh.renderOrder = 2;
    this.arc = new THREE.Mesh(
      new THREE.RingGeometry(0.024, 0.036, SEGMENTS, 1, Math.PI / 2, 2 * Math.PI), new THREE.MeshBasicMaterial({ color: "#f59e0b", ...through }));
    this.arc.position.z = 0.001;
    this.arc.renderOrder = 3;
    this.mesh.add(this.arc);
  }

  show(hand, share) {
    this.mesh.visible = hand.tracked;
    this.mesh.userData.text = `${Math.floor(share * 100)} %`;
    this.arc.geometry.setDrawRange(0, 6 * Math.round(share * SEGMENTS));
    if (!hand.tracked) return;
    this.mesh.position.copy(hand.palm.position).addScaledVector(hand.palm.normal, 0.03);
    this.mesh.quaternion.copy(hand.palm.quaternion);
  }
}
