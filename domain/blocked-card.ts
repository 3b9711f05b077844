export const CARD_BLOCKED = 'This card is not available';

export const CARD_BLOCKED_FOR_OWNER =
  "The operator of this service has blocked your card, so changes aren't saved.";
