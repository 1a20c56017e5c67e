/** One state of a chain as the report shows it. */
export interface ReportState {
  /** Short and unique, e.g. `s3`. */
  readonly name: string;
  readonly kind: 'start' | 'state' | 'end';
  /** A few words for the drawing, such as the predicates that are true; cut where they are too many. */
  readonly label: string;
  /** The state in words, in full. */
  readonly words: string;
  /** Certified bounds on the risk; null where there is none to tell (`end`). */
  readonly risk: { readonly lower: number; readonly upper: number } | null;
  /** Where the chain has a `confidence`: between what the agent's own risk lies, and why nothing bounds it; absent where there is none to tell. */
  readonly confidence?: {
    readonly lower: number;
    readonly upper: number;
    readonly unbounded: string | null;
  };
  /** Number of times the state was left in the data; 0 is unknown to a guard. */
  readonly draws: number;
  /** The rule is broken here, whatever came before. */
  readonly violated: boolean;
  /** The rule is broken here after some of what may have come before, and open after the rest, of which `risk` is. Default false. */
  readonly breaking?: boolean;
  /** Transitions away from here that the drawing leaves out, and their probability together. Default none. */
  readonly notDrawn?: { readonly transitions: number; readonly probability: number };
}

/** One transition of a chain as the report shows it. */
export interface ReportTransition {
  /** Positions in `states`. */
  readonly from: number;
  readonly to: number;
  readonly probability: number;
  /**
   * What rests on it: `violation`, it leads to where the rule is broken; `inflow`, it is one of the few that carry most of what comes to its
   * target; `risk`, of the few that make most of its source's risk. Such a transition is never drawn faintly. Default: nothing does.
   */
  readonly carries?: 'violation' | 'inflow' | 'risk';
}

/** A chain that the report draws. */
export interface ReportChain {
  readonly title: string;
  /** The rule whose risk is shown, as written. */
  readonly rule: string;
  /** Each state's risk is compared with it, and with nothing else; a guard may be stricter. Null: no comparison. */
  readonly threshold: number | null;
  /** The confidence of the states' intervals, 1 - delta; absent where they have none. */
  readonly confidence?: number;
  readonly states: readonly ReportState[];
  /** Those that are drawn. */
  readonly transitions: readonly ReportTransition[];
  /** What the chain rests on, a sentence each: how many steps were held, not recorded. Default none. */
  readonly sampled?: readonly string[];
}

/** A rate with its confidence interval, all in [0, 1]. */
export interface ReportRate {
  readonly rate: number;
  readonly confidenceLower: number;
  readonly confidenceUpper: number;
}

/** One way of enforcing, and what came of it. */
export interface ReportSetting {
  readonly name: string;
  /** Settings of one group are drawn alike, and joined in their order where there are several. */
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

/** A point of a plot; the interval, where there is one, is drawn along the vertical axis. */
export interface ReportPoint {
  readonly x: number;
  readonly y: number;
  readonly interval?: { readonly lower: number; readonly upper: number };
  /** What it is, in words, for whoever points at it or has it read out. */
  readonly label: string;
}

/** A plot of one or a few series. */
export interface ReportPlot {
  readonly title: string;
  readonly note: string;
  readonly x: ReportAxis;
  readonly y: ReportAxis;
  /** A line from corner to corner: where the two axes agree. Default none. */
  readonly diagonal?: boolean;
  /** At most five, so that they can be told apart. */
  readonly series: readonly {
    readonly name: string;
    /** Points are joined in their order. Default false. */
    readonly joined?: boolean;
    readonly points: readonly ReportPoint[];
  }[];
}

/** What a report shows. All text is plain: it is escaped on the way into the page. */
export interface ReportData {
  readonly title: string;
  readonly summary: string;
  /** Facts shown as figures at the top, e.g. numbers of traces. */
  readonly facts: readonly { readonly name: string; readonly value: string }[];
  readonly chain: ReportChain;
  readonly settings: { readonly note: string; readonly rows: readonly ReportSetting[] };
  /** Shown side by side as the page's width allows. Default none. */
  readonly plots?: readonly ReportPlot[];
  readonly tables: readonly ReportTable[];
  /** How the numbers came about and what they do not show. */
  readonly notes: readonly string[];
}
