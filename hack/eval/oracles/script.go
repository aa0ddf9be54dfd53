package oracles

import (
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// script returns a command that runs an embedded script. The script remains in a temporary
// directory, because it is small.
func script(text, name string, command ...string) (*exec.Cmd, error) {
	dir, err := os.MkdirTemp("", "oracle")
	if err != nil {
		return nil, fmt.Errorf("oracle %s: %w", name, err)
	}
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		return nil, fmt.Errorf("oracle %s: %w", name, err)
	}
	return exec.Command(command[0], append(command[1:], path)...), nil
}

// javaTrees prints the results of javac's parser.
//
//go:embed Java.java
var javaTrees string

func javac() (*exec.Cmd, error) { return script(javaTrees, "Java.java", "java") }

//go:embed php.php
var phpScript string

// php queries nikic/PHP-Parser, in the checkout that PHP_PARSER names, with the PHP in PATH.
func php() (*exec.Cmd, error) {
	if os.Getenv("PHP_PARSER") == "" {
		return nil, errors.New("set PHP_PARSER to a checkout of nikic/PHP-Parser")
	}
	return exec.Command("php", "-d", "memory_limit=-1", "-d", "display_errors=stderr", "-r", phpScript), nil
}

//go:embed python.py
var pythonScript string

// python queries the parser of the Python in PATH. A file in the syntax of a newer Python has no
// answer.
func python() (*exec.Cmd, error) {
	return exec.Command("python3", "-W", "ignore", "-c", pythonScript), nil
}

//go:embed ruby.rb
var rubyScript string

// ruby queries the parser of the Ruby in PATH (RubyVM::AbstractSyntaxTree).
func ruby() (*exec.Cmd, error) {
	return exec.Command("ruby", "-W0", "-e", rubyScript), nil
}

// rustTrees prints the results of rustc's parser.
//
//go:embed rust.py
var rustTrees string

func rustc() (*exec.Cmd, error) { return script(rustTrees, "rust.py", "python3") }

// treeSitter is a script that prints the results of a tree-sitter grammar. It is used for languages
// whose compilers are rarely installed.
//
//go:embed treesitter.cjs
var treeSitter string

// grammar returns the command for the grammar of a language.
func grammar(language string) func() (*exec.Cmd, error) {
	return func() (*exec.Cmd, error) {
		cmd, err := script(treeSitter, "treesitter.cjs", "node")
		if err == nil {
			cmd.Args = append(cmd.Args, language)
		}
		return cmd, err
	}
}

//go:embed typescript.js
var typescriptScript []byte

// typescriptRelease is the npm package of the oracle: the last one with its parser as a library.
const typescriptRelease = "typescript@5.9.3"

// typescript queries the parser of TypeScript, which npm installs into a temporary directory.
func typescript() (*exec.Cmd, error) {
	dir, err := os.MkdirTemp("", "oracle-typescript-")
	if err != nil {
		return nil, err
	}
	install := exec.Command("npm", "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline", "--prefix", dir, typescriptRelease)
	if out, err := install.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("install %s: %w: %s", typescriptRelease, err, out)
	}
	script := filepath.Join(dir, "oracle.js")
	return exec.Command("node", script), os.WriteFile(script, typescriptScript, 0o600)
}
