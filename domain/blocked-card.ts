/** The title of a card that the operator has blocked (docs/product.md#public-card). */
export const CARD_BLOCKED = 'This card is not available';

/** The message for its owner (docs/product.md#messages). */
export const CARD_BLOCKED_FOR_OWNER =
  'Your card has been blocked by the operator of this service. Changes are not saved.';
