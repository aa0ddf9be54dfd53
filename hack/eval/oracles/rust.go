package oracles

import (
	_ "embed"
	"os/exec"
)

// rustTrees prints the results of rustc's parser.
//
//go:embed rust.py
var rustTrees string

func rustc() (*exec.Cmd, error) { return script(rustTrees, "rust.py", "python3") }
