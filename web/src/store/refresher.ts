// Runs a load again when asked: never two at once, never too often, never in a hidden tab.

export class Refresher {
  private timer = 0;
  private isRunning = false;
  private isWanted = false;
  isStopped = false;
  private last = 0;
  private readonly onShown = () => {
    if (!document.hidden && this.isWanted) this.ask();
  };

  /** `pause`: the least time between the end of a load and the next, in milliseconds. */
  constructor(
    private readonly load: () => Promise<void>,
    private readonly pause: () => number,
  ) {
    document.addEventListener('visibilitychange', this.onShown);
  }

  /** Asks and loads no more. */
  stop(): void {
    document.removeEventListener('visibilitychange', this.onShown);
    clearTimeout(this.timer);
    this.isStopped = true;
  }

  ask(): void {
    this.isWanted = true;
    if (this.isStopped || this.isRunning || this.timer || document.hidden) return;
    const wait = Math.max(0, this.last + this.pause() - Date.now());
    this.timer = window.setTimeout(() => void this.run(), wait);
  }

  private async run(): Promise<void> {
    this.timer = 0;
    this.isWanted = false;
    this.isRunning = true;
    try {
      await this.load();
    } finally {
      this.isRunning = false;
      this.last = Date.now();
      if (this.isWanted) this.ask();
    }
  }
}
