export {
  type ActionEffect,
  actionEffects,
  idleEffect,
  mixedIdleEffect,
  type ObservedEffect,
  requireSomeEffect,
  unseenEffects,
} from './actionEffects.js';
export { agentChain } from './agentChain.js';
export { type LearntMdp, learnMdp, MdpCounter, type MdpReport } from './learnMdp.js';
export { type LostAction, lostAction } from './lostAction.js';
export { type StayingRows, stayingRows } from './stayingRows.js';
export { withoutPairs } from './withoutPairs.js';
