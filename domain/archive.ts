/** A change that an earlier version would read wrongly, or a new file, takes the next number. */
export const ARCHIVE_VERSION = 2;

/** The files that 'Download everything' writes. An archive with any other file is not one of ours. */
export const ARCHIVE_FILES = [
  'README.txt',
  'version',
  'card-link.txt',
  'card.json',
  'card.vcf',
  'photo.jpg',
  'look.json',
  'logo.webp',
  'extras.json',
  'translations.json',
  'address.json',
  'templates.json',
  'contacts.json',
  'contacts.csv',
  'contacts.vcf',
  'sessions.json',
] as const;

export type ArchiveFile = (typeof ARCHIVE_FILES)[number];
