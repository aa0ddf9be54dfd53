package interrupt

import "os"

var hangup = os.Interrupt
