/** When a call was proposed. */
export interface Proposed {
  /** The turn of the agent, as whoever decides all its calls names it. */
  readonly turn?: string | undefined;
  /** Number of turns of which the agent had been told a refusal by then. */
  readonly after: number;
}

/**
 * The turns of an agent, as far as its refusals show them. Several calls of one turn are refused before the agent could read the first refusal, so that they are one
 * failure to heed it. Calls are of one turn if they are named so, or if one was proposed before the refusal of the other was told.
 */
export class Turns {
  #refused = 0;
  /** The name of the turn that was refused last. */
  #turn: string | undefined;

  proposed(turn?: string): Proposed {
    return { turn, after: this.#refused };
  }

  /** Whether a call is of a turn of which another was refused before. */
  isSibling({ turn, after }: Proposed): boolean {
    return after < this.#refused || (turn !== undefined && turn === this.#turn);
  }

  /** The agent is told that this call, on which its judges were asked, does not run. */
  refused(proposed: Proposed): void {
    if (this.isSibling(proposed)) return;
    this.#refused++;
    this.#turn = proposed.turn;
  }
}
