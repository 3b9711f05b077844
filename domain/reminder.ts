/** The id and the tag of a reminder's notification consist of this prefix and the contact's id. */
export const REMINDER_PREFIX = 'reminder-';
