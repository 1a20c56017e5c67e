import { ForeguardError } from 'foreguard';
import { build, check, parseModel } from 'foreguard/check';
import { drawStates } from './drawStates.mjs';

const element = (id) => document.getElementById(id);

element('model').value = `dtmc
const int N;
module walk
  x : [0..N] init 1;
  [] x>0 & x<N -> 0.4 : (x'=x+1) + 0.6 : (x'=x-1);
  [] x=0 | x=N -> true;
endmodule`;
element('constants').value = 'N=4';
element('property').value = 'P=? [ F x=N ]';

/** What is written in the page, checked: the answer as text, and the states drawn where they are few. */
function answer() {
  const constants = Object.fromEntries(
    element('constants')
      .value.split(',')
      .filter((pair) => pair.includes('='))
      .map((pair) => pair.split('=').map((part) => part.trim())),
  );
  const subject = build(parseModel(element('model').value), { constants });
  const { type, states, columns, warnings = [] } = subject.model;
  const result = check(subject, element('property').value);
  const size = `${type}, ${states} states, ${columns.length} transitions, built in ${subject.seconds.toFixed(3)} s`;
  return { text: [said(result), size, ...warnings].join('\n'), drawing: drawStates(subject) };
}

function said(result) {
  const how = `(${result.accuracy}, ${result.method})`;
  switch (result.kind) {
    case 'truth':
      return `${result.value} ${how}`;
    case 'number':
      return `${result.value} in [${result.lower}, ${result.upper}] ${how}`;
    case 'range':
      return `${result.value.min} to ${result.value.max} ${how}`;
    default:
      return `${result.value} states ${how}`;
  }
}

element('check').addEventListener('click', () => {
  const pre = element('answer');
  try {
    const { text, drawing } = answer();
    pre.className = '';
    pre.textContent = text;
    element('graph').innerHTML = drawing;
  } catch (error) {
    if (!(error instanceof ForeguardError)) throw error;
    pre.className = 'error';
    pre.textContent = error.message;
    element('graph').innerHTML = '';
  }
});
element('check').click();
