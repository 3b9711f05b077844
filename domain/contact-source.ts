export const ADDED_SOURCES = ['typed', 'imported'] as const;
export const TABLE_SOURCE = 'table';
/** Of a contact that a visitor left it is ''. */
export const CONTACT_SOURCES = ['', ...ADDED_SOURCES, TABLE_SOURCE] as const;
