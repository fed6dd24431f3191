// Animations of the style engine. Their own timeline stands still (Animation.setPlaybackRate 0, set from outside), and
// each virtual frame moves every running one by a frame, so CSS transitions, CSS animations, Web animations and SVG's
// <animate> keep pace with the virtual clock. What ends gets a real frame, in which the browser sends the end's events.
function installMotion() {
  const animationsOf = uncurry(Document.prototype.getAnimations);
  const state = getter(Animation.prototype, "playState");
  const timeOf = getter(Animation.prototype, "currentTime");
  const setTime = setter(Animation.prototype, "currentTime");
  const rate = getter(Animation.prototype, "playbackRate");
  const timelineOf = getter(Animation.prototype, "timeline");
  const frameMs = settings.frame / TICKS_PER_MS;
  const known = new WeakMap();
  const move = (animation) => {
    const before = timeOf(animation);
    if (before === null || timelineOf(animation) !== document.timeline || state(animation) !== "running") return;
    if (mapGet(known, animation) === undefined) {
      mapSet(known, animation, true);
      return;
    }
    setTime(animation, before + frameMs * rate(animation));
    if (state(animation) === "finished") clock.state.needsPaint = true;
  };
  const images = uncurry(Document.prototype.getElementsByTagName)(document, "svg");
  const pause = window.SVGSVGElement && uncurry(SVGSVGElement.prototype.pauseAnimations);
  const seek = window.SVGSVGElement && uncurry(SVGSVGElement.prototype.setCurrentTime);
  const hasAnimation = uncurry(Element.prototype.querySelector);
  const countOf = getter(HTMLCollection.prototype, "length");
  const started = new WeakMap();
  const moveImage = (svg) => {
    if (mapGet(started, svg) === undefined) {
      if (!hasAnimation(svg, "animate, animateTransform, animateMotion, set")) return;
      mapSet(started, svg, clock.state.now);
      pause(svg);
    }
    seek(svg, (clock.state.now - mapGet(started, svg)) / TICKS_PER_MS / 1000);
  };
  return () => {
    const running = animationsOf(document);
    for (let index = 0; index < running.length; index++) move(running[index]);
    const count = countOf(images);
    for (let index = 0; index < count; index++) moveImage(images[index]);
  };
}
