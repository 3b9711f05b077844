/** docs/develop/product.md#table */
export const TABLE_ID = /^[0-9A-Za-z]{10}$/;
export const TABLE_PEOPLE_MAX = 30;
export const TABLES_PER_DAY_MAX = 10;

export const TABLE_ENDED = 'This table has ended.';
/** The notice's name for those who receive the details. */
export const EVERYONE_AT_TABLE = 'everyone at this table';

export const tablePath = (table: string): string => `/table/${table}`;
export const tableFilePath = (table: string, person: string): string =>
  `${tablePath(table)}/${person}.vcf`;
/** This id names the file that contains everybody. No person has it, because people's ids are longer. */
export const EVERYBODY = 'all';

/** Returns a formatter for the time at which a table ends. Without `timeZone`, it uses the zone of the machine. */
export const createTableTime = (timeZone?: string) =>
  new Intl.DateTimeFormat('en-IN', {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
  });

export const peopleFrom = (count: number, table: string): string =>
  `${count} ${count === 1 ? 'person' : 'people'} from ${table}`;
