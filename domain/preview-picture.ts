/** Twice the size at which chats show it. */
export const PREVIEW_PICTURE_SIZE = { widthPx: 1200, heightPx: 630 } as const;
