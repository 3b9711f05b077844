/** The start of the id and the tag of a notification that reminds of a contact, whose id follows. */
export const REMINDER = 'reminder-';
