package oracles

import (
	_ "embed"
	"os/exec"
)

// rustTrees prints what rustc's own parser finds.
//
//go:embed rust.py
var rustTrees string

func rustc() (*exec.Cmd, error) { return script(rustTrees, "rust.py", "python3") }
