// Round and square panels with words, drawn on a canvas; `userData.text` says the same.
import * as THREE from "three";

export class Panel {
  #canvas = document.createElement("canvas");

  constructor(name, width, height, { round = false, colour = "#241f1bee" } = {}) {
    const dots = Math.min(2400, 640 / width);
    Object.assign(this.#canvas, { width: Math.round(width * dots), height: Math.round(height * dots) });
    Object.assign(this, { round, colour, texture: new THREE.CanvasTexture(this.#canvas) });
    this.texture.colorSpace = THREE.SRGBColorSpace;
    const shape = round ? new THREE.CircleGeometry(width / 2, 40) : new THREE.PlaneGeometry(width, height);
    this.mesh = new THREE.Mesh(shape, new THREE.MeshBasicMaterial({ map: this.texture, transparent: true, side: THREE.DoubleSide }));
    this.mesh.name = name;
    this.mesh.visible = false;
  }

  /** `big` is what is to be read from afar, `small` stands below it. */
  say(big, small = "", share = 0.3) {
    const text = small ? `${big} ${small}` : big;
    if (this.mesh.userData.text === text) return;
    this.mesh.userData.text = text;
    const { width, height } = this.#canvas, pen = this.#canvas.getContext("2d");
    pen.clearRect(0, 0, width, height);
    pen.fillStyle = this.colour;
    pen.beginPath();
    pen.roundRect(0, 0, width, height, this.round ? width / 2 : height / 6);
    pen.fill();
    pen.fillStyle = "#ffffff";
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.font = `700 ${height * share}px system-ui, sans-serif`;
    pen.fillText(big, width / 2, height * (small ? 0.42 : 0.5), width * 0.9);
    pen.font = `${height * share * 0.6}px system-ui, sans-serif`;
    pen.fillText(small, width / 2, height * 0.72, width * 0.8);
    this.texture.needsUpdate = true;
  }
}
