package filestore

import "time"

// now is the clock of computations in tests.
var now = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
