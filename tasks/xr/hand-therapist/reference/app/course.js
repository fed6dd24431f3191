// The course of exercises: what is asked for now, how far the hold has come, and what has been done.
import { KNOWN } from "./hands.js";

export class Course {
  done = []; // exercises that are finished
  held = 0; // seconds of the hold that goes on
  count = 0; // repetitions of the exercise that is asked for
  resting = false; // the pose has been counted, and has to end before it counts again

  constructor(plan) {
    this.hold = plan.hold;
    this.exercises = (plan.exercises ?? []).filter(({ pose, repetitions }) => KNOWN.includes(pose) && repetitions >= 1);
  }

  get asked() {
    return this.exercises[this.done.length] ?? null;
  }

  get share() {
    return Math.min(1, this.held / this.hold);
  }

  /** A hand that is not seen neither goes on nor breaks off. */
  update(passed, hand) {
    if (!this.asked || !hand.tracked) return;
    const held = hand.poses.has(this.asked.pose);
    if (!held) Object.assign(this, { held: 0, resting: false });
    else if (!this.resting) this.held += passed;
    if (this.held < this.hold) return;
    Object.assign(this, { held: 0, resting: true, count: this.count + 1 });
    if (this.count < this.asked.repetitions) return;
    this.done.push(this.asked);
    Object.assign(this, { count: 0, resting: false });
  }
}
