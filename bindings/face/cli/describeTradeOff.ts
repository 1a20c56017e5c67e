import type { RateInterval, RuleTotals, TradeOffRow } from '../../study/evaluation/index.js';
import { formatNumber, plural, table } from './terminal.js';

/** Describes a rule's trade-off between missed violations and false alarms, line by line; equal rows are merged. @param isPredicted whether the guard knows a risk of the rule */
export function describeTradeOff(
  rule: string,
  { tradeOff, violations }: RuleTotals,
  isPredicted = true,
): string[] {
  if (!isPredicted)
    return violations === 0
      ? []
      : [
          '',
          `${rule}: decided exactly and without a model, so nothing is predicted: "missed" says that no alarm came before the violation. Where it is a call that breaks the rule, the guard refuses this call`,
        ];
  if (tradeOff === null) {
    return [
      '',
      `${rule}: no trade-off over thresholds, since under a budget what is permitted depends on what was permitted before; replay with another threshold`,
    ];
  }
  const groups = alike(tradeOff);
  if (groups.length === 1 && tradeOff.every(({ predicted, falseAlarms }) => predicted + falseAlarms === 0)) {
    return ['', `${rule}: no threshold from ${formatNumber(tradeOff[0].risk)} on is met before a violation`];
  }
  const kept = trials(tradeOff[0].falseAlarmRate);
  return [
    '',
    `${rule}: other thresholds, with intervals of 95% (* is its own; ${plural(violations, 'violation')})`,
    table(
      ['threshold', 'predicted', 'missed', 'false alarms', 'steps ahead', 'seconds ahead'],
      groups.map((rows) => {
        const [{ predicted, missed, missedRate, falseAlarms, falseAlarmRate, stepsAhead, secondsAhead }] =
          rows;
        return [
          name(rows),
          String(predicted),
          `${missed}${interval(missedRate)}`,
          `${falseAlarms}${kept ? interval(falseAlarmRate) : ''}`,
          mean(stepsAhead),
          mean(secondsAhead),
        ];
      }),
    ),
  ];
}

/** Groups adjacent rows with the same findings at the same steps. */
function alike(rows: readonly TradeOffRow[]): TradeOffRow[][] {
  const groups: TradeOffRow[][] = [];
  for (const row of rows) {
    const last = groups.at(-1);
    if (last !== undefined && same(last[0], row)) last.push(row);
    else groups.push([row]);
  }
  return groups;
}

function same(a: TradeOffRow, b: TradeOffRow): boolean {
  return (
    a.predicted === b.predicted &&
    a.missed === b.missed &&
    a.falseAlarms === b.falseAlarms &&
    Object.is(a.stepsAhead.mean, b.stepsAhead.mean) &&
    Object.is(a.stepsAhead.confidenceLower, b.stepsAhead.confidenceLower)
  );
}

function name(rows: readonly TradeOffRow[]): string {
  const own = rows.find((row) => row.own);
  const [from, to] = [rows[0], rows[rows.length - 1]].map(({ risk }) => formatNumber(risk));
  const range = from === to ? (own ?? rows[0]).threshold : `${rows[0].threshold} to ${to}`;
  return own === undefined ? range : `${range} *`;
}

/** Whether a rate has any trials. */
function trials({ rate }: RateInterval): boolean {
  return !Number.isNaN(rate);
}

function interval(rate: RateInterval): string {
  const { confidenceLower, confidenceUpper } = rate;
  return trials(rate) ? ` (${percent(confidenceLower)} to ${percent(confidenceUpper)})` : '';
}

function percent(rate: number): string {
  return `${short(100 * rate)}%`;
}

function short(value: number): string {
  return String(Number(value.toPrecision(3)));
}

function mean({ count, mean: value, confidenceLower, confidenceUpper }: TradeOffRow['stepsAhead']): string {
  if (count === 0) return '–';
  if (count === 1) return short(value);
  return `${short(value)} (${short(confidenceLower)} to ${short(confidenceUpper)})`;
}
