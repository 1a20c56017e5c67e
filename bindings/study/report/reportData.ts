/** One state of a chain as the report shows it. */
export interface ReportState {
  /** Short and unique, e.g. `s3`. */
  readonly name: string;
  readonly kind: 'start' | 'state' | 'end';
  /** A short label for the drawing, such as the predicates that are true; truncated if they are too many. */
  readonly label: string;
  /** The full description of the state in words. */
  readonly words: string;
  /** Certified bounds on the risk; null if there are none (`end`). */
  readonly risk: { readonly lower: number; readonly upper: number } | null;
  /** If the chain has a `confidence`: the interval of the agent's own risk, and why nothing bounds it; absent if there is none. */
  readonly confidence?: {
    readonly lower: number;
    readonly upper: number;
    readonly unbounded: string | null;
  };
  /** Number of times the state was left in the data; a guard treats 0 as unknown. */
  readonly draws: number;
  /** Whether the rule is broken here, whatever the history. */
  readonly violated: boolean;
  /** Whether the rule is broken here after some histories, and open after the others, which `risk` refers to. Default false. */
  readonly breaking?: boolean;
  /** Outgoing transitions that the drawing leaves out, and their total probability. Default none. */
  readonly notDrawn?: { readonly transitions: number; readonly probability: number };
}

/** One transition of a chain as the report shows it. */
export interface ReportTransition {
  /** Positions in `states`. */
  readonly from: number;
  readonly to: number;
  readonly probability: number;
  /**
   * Why the transition matters: `violation`, it leads to a state where the rule is broken; `inflow`, it is one of the few that carry most
   * of the inflow of its target; `risk`, it is one of the few that make up most of its source's risk. Such a transition is never drawn
   * faintly. Default: none of these.
   */
  readonly carries?: 'violation' | 'inflow' | 'risk';
}

/** A chain that the report draws. */
export interface ReportChain {
  readonly title: string;
  /** The rule whose risk is shown, as written. */
  readonly rule: string;
  /** The rule in English; absent if it has no words. */
  readonly english?: string;
  /** `state`: the rule is a bound of PCTL, and the risk that of the event it bounds. Default `trace`: the risk of breaking the rule. */
  readonly evaluation?: 'trace' | 'state';
  /** The threshold to compare each state's risk with; a guard may be stricter. Null: no comparison. */
  readonly threshold: number | null;
  /** The confidence of the states' intervals, 1 - delta; absent if they have none. */
  readonly confidence?: number;
  readonly states: readonly ReportState[];
  /** The transitions that are drawn. */
  readonly transitions: readonly ReportTransition[];
  /** Notes on the data behind the chain, a sentence each: how many steps were held, not recorded, and how far the recorded clock is off the sampling period. Default none. */
  readonly sampled?: readonly string[];
}

/** A rate with its confidence interval, all in [0, 1]. */
export interface ReportRate {
  readonly rate: number;
  readonly confidenceLower: number;
  readonly confidenceUpper: number;
}

/** One enforcement setting and its results. */
export interface ReportSetting {
  readonly name: string;
  /** Settings of one group are drawn alike, and joined in order if there are several. */
  readonly group: string;
  readonly runs: number;
  readonly unsafe: ReportRate;
  readonly completed: ReportRate;
}

/** A table of the report. */
export interface ReportTable {
  readonly title: string;
  readonly note: string;
  readonly columns: readonly { readonly name: string; readonly numeric: boolean }[];
  readonly rows: readonly (readonly string[])[];
}

/** One axis of a plot. */
export interface ReportAxis {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  /** Whether values are shares, written in percent. Default false. */
  readonly percent?: boolean;
}

/** A point of a plot; its interval, if any, is drawn along the vertical axis. */
export interface ReportPoint {
  readonly x: number;
  readonly y: number;
  readonly interval?: { readonly lower: number; readonly upper: number };
  /** Description in words, for tooltips and screen readers. */
  readonly label: string;
}

/** A plot of one or a few series. */
export interface ReportPlot {
  readonly title: string;
  readonly note: string;
  readonly x: ReportAxis;
  readonly y: ReportAxis;
  /** A diagonal line where the two axes agree. Default none. */
  readonly diagonal?: boolean;
  /** At most five series, so that they remain distinguishable. */
  readonly series: readonly {
    readonly name: string;
    /** Points are joined in their order. Default false. */
    readonly joined?: boolean;
    readonly points: readonly ReportPoint[];
  }[];
}

/** The content of a report. All text is plain; it is escaped when the page is rendered. */
export interface ReportData {
  readonly title: string;
  readonly summary: string;
  /** Facts shown as figures at the top, e.g. numbers of traces. */
  readonly facts: readonly { readonly name: string; readonly value: string }[];
  readonly chain: ReportChain;
  readonly settings: { readonly note: string; readonly rows: readonly ReportSetting[] };
  /** Shown side by side if the page is wide enough. Default none. */
  readonly plots?: readonly ReportPlot[];
  readonly tables: readonly ReportTable[];
  /** How the numbers were obtained, and what they do not show. */
  readonly notes: readonly string[];
}
