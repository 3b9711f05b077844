/** A card that does not exist shows these texts (docs/develop/product.md#public-card). */
export const UNKNOWN_USER = { name: 'Unknown', bio: 'User does not exist' } as const;
export const USER_UNKNOWN_MESSAGE = UNKNOWN_USER.bio;
