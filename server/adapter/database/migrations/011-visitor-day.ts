/** Finds the hashes of earlier days without reading those of today. */
export const visitorDay = {
  number: 11,
  name: 'visitor day',
  sql: 'CREATE INDEX visitor_hashes_day ON visitor_hashes (day);',
};
