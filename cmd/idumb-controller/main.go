// Idumb-controller is the controller of one repository, in the foreground.
package main

import (
	"os"

	"github.com/idumb-dev/idumb/cmd/internal/controllerprocess"
)

func main() { os.Exit(controllerprocess.Main(os.Args[1:], os.Stdout, os.Stderr)) }
