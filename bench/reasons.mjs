/** Why a target is missed, by the id of the figure. Printed below its table. */
export const REASONS = {
  'edit-bytes': 'react-dom is 58 KB, the style of all pages 10 KB, the schema library 8 KB.',
  'cards-1000':
    "in a profile of both servers, the service's own work is 3 to 4 of 31 µs: the lookups in the cache and the read limit, the clock, and the headers. That is a ratio of 0.89. Rounds differ by up to a third on this machine: three runs gave 0.74 to 0.79, two later ones 0.86 and 1.",
  'cards-one': 'as with 1,000 cards. Three runs gave 0.82, 0.9 and 0.98, two later ones 0.71.',
  'contact-file': 'as with one card. Three runs gave 0.82, 0.83 and 1.1.',
  profile: 'as with one card. Three runs gave 0.8, 0.83 and 0.84.',
  photo: 'as with one card. Three runs gave 0.8, 0.81 and 1.',
  'slow-card-ratio':
    'the requests of 32 owners arrive together when their commit ends, and one thread parses them. A card that arrives meanwhile waits for them.',
  'slow-profile-p99': 'as with the cached card.',
  'slow-miss-p99':
    'as with the cached card; rendering and compressing it wait for the same two cores, which the load generator uses too.',
  'group-saves':
    'the program writes 32 rows in one commit. The 32 connections of the service are in two commits: while one half waits for the disk, the other half is parsed.',
  'long-names-ratio':
    'a body of 63 KB takes 1 ms of the thread that answers all requests, before its text is rejected by its length. The p50 shows it too; half of the bodies are of an owner, whose mistakes no limit counts.',
  'guesses-ratio':
    'each guess is counted in the database before the code is compared. Runs gave 2.2 to 2.8.',
  'previews-ratio':
    'a process draws beside the service and its clients on two cores. Runs gave 1.2 to 2.',
  'photos-ratio':
    'two processes decode on the two cores that the service and its clients use too. Runs gave 1.5 to 3.1; the p50 is 0.4 ms.',
  'contacts-newest':
    'the slowest hundredth waits for something whose cause is not known yet. Runs gave 19 to 24 ms.',
  'contacts-by-name':
    'the slowest hundredth waits for something whose cause is not known yet. Runs gave 20 to 25 ms.',
};
