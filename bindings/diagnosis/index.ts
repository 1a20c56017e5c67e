export {
  type HistoryEffect,
  type OrderDependence,
  type OrderOptions,
  orderDependence,
  type StateOrder,
} from './orderDependence.js';
