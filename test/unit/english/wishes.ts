import type { PredicateWords } from '../../../bindings/languages/english/index.js';

/**
 * Wishes for four settings in words that people use, each with the formulas that would be right. The first were written before the reader was tried on them, by one
 * who had not read its grammar: 4 were right, 2 asked, 2 asked without the truth, and 33 refused. The grammar was mended on them afterwards.
 */
interface Setting {
  readonly name: string;
  readonly predicates: Readonly<Record<string, PredicateWords>>;
  readonly wishes: readonly (readonly [sentence: string, ...formulas: string[]])[];
}

/** During at most so many stretches of steps, and at no more than so many steps. */
const visits = (p: string, n: number): string =>
  n === 0 ? `(G !${p})` : `(!${p} W (${p} W ${visits(p, n - 1)}))`;
const steps = (p: string, n: number): string =>
  n === 0 ? `(G !${p})` : `(G (${p} -> WX ${steps(p, n - 1)}))`;

const home = {
  stoveOn: { say: 'the stove is on', not: 'the stove is off' },
  doorLocked: { say: 'the front door is locked', not: 'the front door is unlocked' },
  doorOpen: { say: 'the front door is open', not: 'the front door is closed' },
  inKitchen: { say: 'the robot is in the kitchen' },
  inBathroom: { say: 'the robot is in the bathroom' },
  inNursery: { say: 'the robot is in the nursery' },
  babyAsleep: { say: 'the baby is asleep', not: 'the baby is awake', also: ['the baby sleeps'] },
  vacuuming: { say: 'the robot is vacuuming' },
  holdsKnife: { say: 'the robot holds a knife' },
  charging: { say: 'the robot is charging' },
  batteryLow: { say: 'the battery is low' },
  alarm: { say: 'the smoke alarm sounds' },
};
const mail = {
  sends: { say: 'the agent sends a mail' },
  drafts: { say: 'the agent writes a draft' },
  approves: { say: 'the manager approves', also: ['the manager gives approval'] },
  deletes: { say: 'the agent deletes a message' },
  confidential: { say: 'the message is confidential' },
  external: { say: 'the recipient is outside the company' },
  attaches: { say: 'the agent attaches a file' },
  scans: { say: 'the agent scans the attachment' },
  replies: { say: 'the agent replies' },
  forwards: { say: 'the agent forwards a message' },
  urgent: { say: 'the message is urgent' },
};
const bank = {
  transfers: { say: 'a transfer is made' },
  identified: { say: 'the customer is identified' },
  confirms: { say: 'the customer confirms' },
  large: {},
  closes: { say: 'the account is closed' },
  frozen: { say: 'the account is frozen' },
  logsOut: { say: 'the customer logs out' },
  fraud: { say: 'fraud is suspected' },
  clerk: { say: 'a clerk is called' },
  readsBalance: { say: 'the balance is read out' },
  wrongPin: { say: 'a wrong PIN is entered' },
};
const drone = {
  flying: { say: 'the drone is flying', not: 'the drone is on the ground' },
  atDepot: { say: 'the drone is at the depot' },
  carrying: { say: 'the drone carries a parcel' },
  delivers: { say: 'the parcel is delivered' },
  overSchool: { say: 'the drone is over the school' },
  windy: { say: 'the wind is strong' },
  batteryLow: { say: 'the battery is low' },
  lands: { say: 'the drone lands' },
  personBelow: { say: 'a person is below' },
  lightsOn: { say: 'the lights are on', not: 'the lights are off' },
  gpsLost: { say: 'the GPS signal is lost' },
  returning: { say: 'the drone is returning' },
};
export const FIRST: readonly Setting[] = [
  {
    name: 'home',
    predicates: home,
    wishes: [
      ['Never leave the stove on while the robot is in the bathroom.', 'G !(stoveOn & inBathroom)'],
      ['The robot must not vacuum as long as the baby is asleep.', 'G (babyAsleep -> !vacuuming)'],
      [
        'As soon as the smoke alarm sounds, the stove must be off within two steps.',
        'G (alarm -> F<=2 !stoveOn)',
        'G ((alarm & !(Y alarm)) -> F<=2 !stoveOn)',
      ],
      [
        'The robot must not enter the nursery while it holds a knife.',
        'G (holdsKnife -> !inNursery)',
        'G (holdsKnife & !inNursery -> WX (inNursery -> !holdsKnife))',
        'G (holdsKnife & !inNursery -> WX !inNursery)',
      ],
      [
        'When the battery is low, charge within 5 steps.',
        'G (batteryLow -> F<=5 charging)',
        'G ((batteryLow & !(Y batteryLow)) -> F<=5 charging)',
      ],
      [
        'The front door must stay locked until the baby is awake.',
        'doorLocked W !babyAsleep',
        'doorLocked U !babyAsleep',
      ],
      [
        'First go to the kitchen, then to the bathroom, and never enter the nursery in between.',
        'F (inKitchen & (F inBathroom))',
        'F (inKitchen & (X (!inNursery U inBathroom)))',
        'F (inKitchen & (!inNursery U inBathroom))',
        'F (inKitchen & (X (F inBathroom)))',
      ],
      ['The front door is never both open and locked.', 'G !(doorOpen & doorLocked)'],
      ['Unless the robot is in the kitchen, the stove must be off.', 'G (!inKitchen -> !stoveOn)'],
      ['Go to the nursery at most three times.', visits('inNursery', 3)],
    ],
  },
  {
    name: 'mail',
    predicates: mail,
    wishes: [
      ['The agent may send a mail only if the manager has approved.', 'G (sends -> O approves)'],
      [
        'Never send a mail without first writing a draft.',
        'G (sends -> O drafts)',
        'G(sends -> Y (O drafts))',
      ],
      [
        'The agent must not forward a message if the message is confidential and the recipient is outside the company.',
        'G (confidential & external -> !forwards)',
      ],
      [
        'Each time the agent attaches a file, it must scan the attachment before it sends a mail.',
        'G (attaches -> (!sends W scans))',
        'G (attaches -> (!sends U (scans & !sends)))',
      ],
      ['The agent never deletes a message twice.', visits('deletes', 1), steps('deletes', 1)],
      ['No more than two mails are sent.', visits('sends', 2), steps('sends', 2)],
      ['If the message is urgent, the agent replies in the next step.', 'G (urgent -> X replies)'],
      [
        'After the manager approves, the agent sends a mail within 4 steps.',
        'G (approves -> F<=4 sends)',
        'G (approves -> X (F<=3 sends))',
        'G(approves -> X (F<=4 sends))',
      ],
      ['The agent neither deletes nor forwards a message.', 'G (!deletes & !forwards)'],
      ['The agent deletes a message only if it is not confidential.', 'G (deletes -> !confidential)'],
      [
        'The agent never sends a mail unless the manager approves.',
        'G (sends -> approves)',
        '!sends W approves',
        'G (sends -> O approves)',
      ],
    ],
  },
  {
    name: 'bank',
    predicates: bank,
    wishes: [
      [
        'No transfer may be made before the customer is identified.',
        '!transfers W identified',
        'G (transfers -> O identified)',
      ],
      [
        'A transfer may be made only after the customer has confirmed.',
        'G (transfers -> O confirms)',
        'G (transfers -> Y (O confirms))',
        '!transfers W confirms',
      ],
      [
        'If the amount is over 1000, a clerk must be called before a transfer is made.',
        'G (large & transfers -> O clerk)',
        'G (large -> (!transfers W clerk))',
        'G (large -> (!transfers U clerk))',
      ],
      [
        'Once the account is closed, no transfers are ever made again.',
        'G (closes -> WX (G !transfers))',
        'G (closes -> G !transfers)',
      ],
      ['While the account is frozen, nothing may be transferred.', 'G (frozen -> !transfers)'],
      [
        'If fraud is suspected, freeze the account immediately and call a clerk within 3 steps.',
        'G (fraud -> frozen & (F<=3 clerk))',
        'G (fraud -> (X frozen) & (F<=3 clerk))',
      ],
      [
        'After a wrong PIN has been entered three times, the account must be frozen.',
        'G (wrongPin & (Y (O (wrongPin & (Y (O wrongPin))))) -> F frozen)',
        'G (wrongPin & (Y (O (wrongPin & (Y (O wrongPin))))) -> frozen)',
      ],
      [
        'The balance must not be read out after the customer logs out.',
        'G (logsOut -> WX (G !readsBalance))',
        'G (logsOut -> G !readsBalance)',
      ],
      [
        'Except when the customer is identified, the balance is not read out.',
        'G (!identified -> !readsBalance)',
      ],
      [
        'Every transfer must be confirmed by the customer first.',
        'G (transfers -> O confirms)',
        'G (transfers -> Y (O confirms))',
      ],
    ],
  },
  {
    name: 'drone',
    predicates: drone,
    wishes: [
      ['The drone must never fly over the school.', 'G !(flying & overSchool)', 'G !overSchool'],
      [
        'When the battery is low the drone has to return and then land.',
        'G (batteryLow -> F (returning & (F lands)))',
        'G ((batteryLow & !(Y batteryLow)) -> F (returning & (F lands)))',
        'G (batteryLow -> F (returning & (X (F lands))))',
        'G ((batteryLow & !(Y batteryLow)) -> F (returning & (X (F lands))))',
        'G (batteryLow -> returning & (F lands))',
        'G (batteryLow -> returning & (X (F lands)))',
      ],
      ['The drone does not land as long as a person is below.', 'G (personBelow -> !lands)'],
      [
        'Deliver the parcel, and only then return to the depot.',
        '(!atDepot U delivers) & (F (delivers & (F atDepot)))',
        '(!atDepot U delivers) & (F (delivers & (X (F atDepot))))',
        '(!returning U delivers) & (F (delivers & (F returning)))',
        '(F (delivers & (X (F atDepot)))) & (!atDepot U (delivers & !atDepot))',
      ],
      ['The lights must be on whenever the drone is flying.', 'G (flying -> lightsOn)'],
      [
        'If the GPS signal is lost for 3 steps, the drone lands.',
        'G (gpsLost & (Y gpsLost) & (Y (Y gpsLost)) -> F lands)',
        'G (gpsLost & (X gpsLost) & (X (X gpsLost)) -> F lands)',
        'G ((G<=2 gpsLost) -> F lands)',
      ],
      ['The drone must reach the depot within 20 steps.', 'F<=20 atDepot'],
      ['In strong wind the drone stays on the ground.', 'G (windy -> !flying)'],
      [
        'Until the parcel is delivered, the drone must carry the parcel.',
        'carrying U delivers',
        'carrying W delivers',
      ],
      ['The drone must be at the depot at the end.', 'F (atDepot & !(X true))'],
    ],
  },
];

// Other settings, by the same author. Written before the grammar was mended on the first, and read once after that: 12 right, 23 asked with the truth, 5 refused, none wrong.
const warehouse = {
  lifts: { say: 'the forklift lifts a pallet' },
  loaded: { say: 'the forklift is loaded', not: 'the forklift is empty' },
  driving: { say: 'the forklift is driving', not: 'the forklift is standing' },
  horn: { say: 'the forklift sounds the horn' },
  workerNear: { say: 'a worker is near' },
  gateOpen: { say: 'the gate is open', not: 'the gate is closed' },
  atRamp: { say: 'the forklift is at the ramp' },
  atDock: { say: 'the forklift is at the dock' },
  forkUp: { say: 'the fork is raised', not: 'the fork is lowered' },
  emergency: { say: 'the emergency button is pressed' },
  charging: { say: 'the forklift is charging' },
};
const hospital = {
  gives: { say: 'the robot gives a dose' },
  prescribes: { say: 'the doctor prescribes a dose' },
  scansBand: { say: 'the robot scans the wristband' },
  allergic: { say: 'the patient is allergic' },
  asleep: { say: 'the patient is asleep', not: 'the patient is awake' },
  rings: { say: 'the patient rings the bell' },
  callsNurse: { say: 'the robot calls a nurse' },
  cabinetOpen: { say: 'the medicine cabinet is open', not: 'the medicine cabinet is closed' },
  inWard: { say: 'the robot is in the ward' },
  inTheatre: { say: 'the robot is in the operating theatre' },
  clean: { say: 'the robot is disinfected' },
  speaks: { say: 'the robot speaks' },
};
const greenhouse = {
  pumpOn: { say: 'the pump is running', not: 'the pump is stopped' },
  lampOn: { say: 'the lamp is on', not: 'the lamp is off' },
  heaterOn: { say: 'the heater is on', not: 'the heater is off' },
  windowOpen: { say: 'the window is open', not: 'the window is closed' },
  raining: { say: 'it is raining' },
  dark: { say: 'it is dark' },
  hot: { say: 'the air is too hot' },
  cold: { say: 'the air is too cold' },
  dry: { say: 'the soil is dry' },
  tankEmpty: { say: 'the tank is empty' },
  leak: { say: 'a leak is detected' },
  gardener: { say: 'the gardener is notified' },
};
const support = {
  refunds: { say: 'the assistant issues a refund' },
  verifies: { say: 'the assistant verifies the order' },
  asksName: { say: 'the assistant asks for the name' },
  angry: { say: 'the customer is angry' },
  escalates: { say: 'the assistant escalates the case' },
  closesTicket: { say: 'the ticket is closed' },
  reopens: { say: 'the ticket is reopened' },
  discount: { say: 'the assistant offers a discount' },
  agrees: { say: 'the customer agrees' },
  cardShown: { say: 'a card number is shown' },
  supervisor: { say: 'a supervisor is present' },
};
export const SECOND: readonly Setting[] = [
  {
    name: 'warehouse',
    predicates: warehouse,
    wishes: [
      ['The forklift must never drive while the fork is raised.', 'G (forkUp -> !driving)'],
      [
        'The forklift may only lift a pallet after it has sounded the horn.',
        'G (lifts -> O horn)',
        'G (lifts -> Y (O horn))',
      ],
      [
        'Stop within two steps when the emergency button is pressed.',
        'G (emergency -> F<=2 !driving)',
        'G (emergency & (WY !emergency) -> F<=2 !driving)',
      ],
      ['As long as a worker is near, no pallet may be lifted.', 'G (workerNear -> !lifts)'],
      [
        'The forklift must not go to the ramp before the gate has been opened.',
        '!atRamp W gateOpen',
        'G (atRamp -> O gateOpen)',
      ],
      ['The fork must be lowered unless the forklift is standing.', 'G (driving -> !forkUp)'],
      ['First go to the dock, then to the ramp.', 'F (atDock & (F atRamp))', 'F (atDock & (X (F atRamp)))'],
      [
        'The forklift must reach the dock no later than 30 steps after it has been loaded.',
        'G (loaded -> F<=30 atDock)',
        'G (loaded & (WY !loaded) -> F<=30 atDock)',
      ],
      ['The forklift is never both driving and charging.', 'G !(driving & charging)'],
      [
        'Each time the forklift is loaded, it must eventually be emptied.',
        'G (loaded -> F !loaded)',
        'G (loaded & (WY !loaded) -> F !loaded)',
      ],
    ],
  },
  {
    name: 'hospital',
    predicates: hospital,
    wishes: [
      ['Never give a dose before scanning the wristband.', '!gives W scansBand', 'G (gives -> O scansBand)'],
      [
        'The robot may give a dose only if the doctor has prescribed a dose.',
        'G (gives -> O prescribes)',
        'G (gives -> Y (O prescribes))',
      ],
      ['If the patient is allergic, the robot must not give a dose.', 'G (allergic -> !gives)'],
      ['Whenever the patient rings the bell, call a nurse within 3 steps.', 'G (rings -> F<=3 callsNurse)'],
      ['The robot must not speak while the patient is asleep.', 'G (asleep -> !speaks)'],
      [
        'The robot must never enter the operating theatre without being disinfected.',
        'G (inTheatre -> clean)',
        'G (inTheatre -> O clean)',
        '!inTheatre W clean',
      ],
      ['Do not give more than three doses.', visits('gives', 3), steps('gives', 3)],
      ['The medicine cabinet must be closed at the end.', 'F (!cabinetOpen & !(X true))'],
      [
        'After the robot gives a dose, the medicine cabinet must be closed in the next step.',
        'G (gives -> X !cabinetOpen)',
        'G (gives & (WY !gives) -> X !cabinetOpen)',
      ],
      ['Stay in the ward until the patient is asleep.', 'inWard W asleep', 'inWard U asleep'],
    ],
  },
  {
    name: 'greenhouse',
    predicates: greenhouse,
    wishes: [
      ['The heater and the lamp must never be on at the same time.', 'G !(heaterOn & lampOn)'],
      ['The pump must not run if the tank is empty.', 'G (tankEmpty -> !pumpOn)'],
      [
        'Close the window as soon as it is raining.',
        'G (raining -> !windowOpen)',
        'G (raining & (WY !raining) -> !windowOpen)',
        'G (raining -> X !windowOpen)',
        'G (raining & (WY !raining) -> X !windowOpen)',
        'G (raining -> F !windowOpen)',
        'G (raining & (WY !raining) -> F !windowOpen)',
      ],
      ['The lamp is on only if it is dark.', 'G (lampOn -> dark)'],
      [
        'When the soil is dry, the pump has to run within 4 steps, except when the tank is empty.',
        'G (dry & !tankEmpty -> F<=4 pumpOn)',
        'G (dry & (WY !dry) & !tankEmpty -> F<=4 pumpOn)',
        'G (dry & !tankEmpty & (WY !(dry & !tankEmpty)) -> F<=4 pumpOn)',
      ],
      ['The window must always be closed when the heater is on.', 'G (heaterOn -> !windowOpen)'],
      [
        'If a leak is detected, the pump must be stopped immediately and must never run again.',
        'G (leak -> !pumpOn & (G !pumpOn))',
        'G (leak -> !pumpOn & (WX (G !pumpOn)))',
        'G (leak -> WX (!pumpOn & (G !pumpOn)))',
        'G (leak -> (X !pumpOn) & (WX (G !pumpOn)))',
        'G (leak -> (X !pumpOn) & (X (G !pumpOn)))',
      ],
      ['Notify the gardener at most twice.', visits('gardener', 2), steps('gardener', 2)],
      [
        'Within 5 steps of a leak being detected, the gardener must be notified.',
        'G (leak -> F<=5 gardener)',
        'G (leak & (WY !leak) -> F<=5 gardener)',
      ],
      ['If the temperature is above 30, the window must be open.', 'G (hot -> windowOpen)'],
    ],
  },
  {
    name: 'support',
    predicates: support,
    wishes: [
      [
        'The assistant must not issue a refund without verifying the order.',
        'G (refunds -> O verifies)',
        '!refunds W verifies',
        'G (refunds -> verifies)',
      ],
      [
        'Ask for the name first, then verify the order.',
        'F (asksName & (F verifies))',
        'F (asksName & (X (F verifies)))',
        '(!verifies U asksName) & (F verifies)',
      ],
      ['Never show a card number.', 'G !cardShown'],
      ['A card number must never be shown.', 'G !cardShown'],
      [
        'If the customer is angry for two steps in a row, escalate the case.',
        'G (angry & (Y angry) -> escalates)',
        'G (angry & (Y angry) -> F escalates)',
        'G (angry & (X angry) -> F escalates)',
        'G (angry & (X angry) -> X escalates)',
      ],
      ['No refund may be issued unless a supervisor is present.', 'G (refunds -> supervisor)'],
      [
        'Once the ticket has been closed, it must not be reopened.',
        'G (closesTicket -> WX (G !reopens))',
        'G (closesTicket -> G !reopens)',
      ],
      ['The assistant offers a discount no more than once.', visits('discount', 1), steps('discount', 1)],
      [
        'In the meantime between the customer agreeing and the ticket being closed, the assistant does not offer a discount.',
        'G (agrees & !closesTicket & (F closesTicket) -> (!discount U closesTicket))',
        'G (agrees & !closesTicket -> (!discount W closesTicket))',
      ],
      [
        'The ticket must not be closed until either the customer agrees or the assistant escalates the case.',
        '!closesTicket W (agrees | escalates)',
        '!closesTicket U (agrees | escalates)',
      ],
    ],
  },
];
