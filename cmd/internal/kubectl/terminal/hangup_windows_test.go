package terminal

import "os"

var hangup = os.Interrupt
