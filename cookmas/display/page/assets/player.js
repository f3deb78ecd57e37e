/* The player chooses the shown moment: by playing, by steps, and from the address. It depends on no panel and
   no world: panels register to be told of each moment. */

const REST = 200; // the player rests after this many milliseconds at one moment
const NEAR = "0px 0px -90px"; // the part of the window that the controls do not cover

class Player {
  constructor(films) {
    this.films = films;
    this.t = 0;
    this.speed = 4; // in timesteps a second
    this.playing = false;
    this.following = false;
    this.parts = [];
    this.due = false;
    this.wanted = null; // the moment to go to as soon as it has come
  }

  get first() {
    return Math.min(...this.films.map((film) => film.first));
  }

  get length() {
    return Math.max(...this.films.map((film) => film.length));
  }

  /** Tell a part of every moment that is shown from now on. While the element of a part that `mayRest` is out of
   *  view, the part is told only of the moments at which the player rests. */
  onShow(part, mayRest = true) {
    const told = { part, near: true };
    this.parts.push(told);
    if (mayRest) new IntersectionObserver(([seen]) => {
      const comes = seen.isIntersecting && !told.near;
      told.near = seen.isIntersecting;
      if (comes) part.show(this.t);
    }, { rootMargin: NEAR }).observe(part.element);
  }

  go(t) {
    const moment = Math.max(this.first, Math.min(this.length, Math.round(t) || 0));
    this.t = moment;
    this.wanted = t > this.length ? t : null;
    this.following = moment === this.length;
    this.refresh();
  }

  /** Show the moment with the next frame, once for all calls before it. */
  refresh() {
    if (this.due) return;
    this.due = true;
    requestAnimationFrame(() => {
      this.due = false;
      this.show();
    });
  }

  show() {
    for (const { part, near } of this.parts) if (near) part.show(this.t);
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.rest(), REST);
  }

  rest() {
    for (const { part, near } of this.parts) {
      if (!near) part.show(this.t);
      part.rest?.(this.t);
    }
    history.replaceState(null, "", `#t=${this.t}`);
  }

  /** Take note that a film has grown. */
  grown() {
    if (this.wanted !== null && this.wanted <= this.length) {
      this.go(this.wanted);
      this.following = false; // the film may have grown just so far
    } else if (this.following) this.t = this.length;
    this.refresh();
  }

  play() {
    if (this.t >= this.length) this.t = this.first;
    this.playing = true;
    let last = performance.now();
    let moment = this.t;
    const tick = (now) => {
      if (!this.playing) return;
      if (Math.abs(moment - this.t) >= 1) moment = this.t;
      moment += ((now - last) / 1000) * this.speed;
      last = now;
      if (Math.floor(moment) !== this.t) this.go(Math.floor(moment));
      if (this.t >= this.length) this.pause();
      else requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
    this.refresh();
  }

  pause() {
    this.playing = false;
    this.refresh();
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  /** Go to the nearest moment before or after this one at which something happened beside the actions. */
  happening(direction) {
    const moments = this.films.flatMap((film) => film.marks.map((mark) => mark.t));
    const there = moments.filter((t) => (t - this.t) * direction > 0);
    if (there.length) this.go(direction > 0 ? Math.min(...there) : Math.max(...there));
  }

  /** Go to the moment that an address names; return whether it names one. */
  fromAddress(address = location) {
    const match = /^#t=(\d+)$/.exec(address.hash);
    if (match) this.go(Number(match[1]));
    return match !== null;
  }
}

const KEYS = {
  ArrowLeft: (player, far) => player.go(player.t - (far ? 10 : 1)),
  ArrowRight: (player, far) => player.go(player.t + (far ? 10 : 1)),
  Home: (player) => player.go(0),
  End: (player) => player.go(player.length),
  " ": (player) => player.toggle(),
  n: (player) => player.happening(1),
  p: (player) => player.happening(-1),
};

/** Listen to the keys of the player everywhere, except in elements in which they have a meaning. */
function listenToKeys(player) {
  document.addEventListener("keydown", (event) => {
    const own = "input, select, textarea, [role=tab], [role=listbox]";
    const press = event.key === " " && event.target.closest("button, summary, a");
    if (event.ctrlKey || event.metaKey || event.altKey || press || event.target.closest(own)) return;
    const act = KEYS[event.key];
    if (!act) return;
    event.preventDefault();
    act(player, event.shiftKey);
  });
}
