package oracles

import (
	_ "embed"
	"os/exec"
)

// javaTrees prints what javac's own parser finds.
//
//go:embed Java.java
var javaTrees string

func javac() (*exec.Cmd, error) { return script(javaTrees, "Java.java", "java") }
