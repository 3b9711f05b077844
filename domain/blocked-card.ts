export const CARD_BLOCKED = 'This card is not available';

export const CARD_BLOCKED_FOR_OWNER =
  'Your card has been blocked by the operator of this service. Changes are not saved.';
