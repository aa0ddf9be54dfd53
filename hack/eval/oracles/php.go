package oracles

import (
	_ "embed"
	"errors"
	"os"
	"os/exec"
)

//go:embed php.php
var phpScript string

// php queries nikic/PHP-Parser, in the checkout that PHP_PARSER names, with the PHP in PATH.
func php() (*exec.Cmd, error) {
	if os.Getenv("PHP_PARSER") == "" {
		return nil, errors.New("set PHP_PARSER to a checkout of nikic/PHP-Parser")
	}
	return exec.Command("php", "-d", "memory_limit=-1", "-d", "display_errors=stderr", "-r", phpScript), nil
}
