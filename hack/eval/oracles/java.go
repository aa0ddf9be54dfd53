package oracles

import (
	_ "embed"
	"os/exec"
)

// javaTrees prints the results of javac's parser.
//
//go:embed Java.java
var javaTrees string

func javac() (*exec.Cmd, error) { return script(javaTrees, "Java.java", "java") }
