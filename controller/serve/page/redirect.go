package page

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"strings"
)

// WriteRedirect writes a file that redirects a browser to a page and returns
// its path. Only the current user can read it. The command line of a browser is
// visible to all users, so it must not contain the code. The file is in
// $XDG_RUNTIME_DIR or in the user's cache directory. It replaces the file of an
// earlier page.
func WriteRedirect(url string) (string, error) {
	dir := os.Getenv("XDG_RUNTIME_DIR")
	if dir == "" {
		caches, err := os.UserCacheDir()
		if err != nil {
			return "", fmt.Errorf("find a private directory for the file that redirects to the page: %w; set XDG_RUNTIME_DIR", err)
		}
		dir = filepath.Join(caches, "idumb")
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("create the directory for the file that redirects to the page: %w; set XDG_RUNTIME_DIR", err)
	}
	site, _, _ := strings.Cut(url, "#")
	sum := sha256.Sum256([]byte(site))
	file := filepath.Join(dir, "idumb-dash-"+hex.EncodeToString(sum[:4])+".html")
	if err := os.Remove(file); err != nil && !os.IsNotExist(err) {
		return "", err
	}
	out, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600) // never follow a symbolic link of another user
	if err != nil {
		return "", err
	}
	_, err = fmt.Fprintf(out, "<!doctype html><meta charset=utf-8><meta name=referrer content=no-referrer><title>iDumb</title><meta http-equiv=refresh content=\"0;url=%s\">\n", html.EscapeString(url))
	if closed := out.Close(); err == nil {
		err = closed
	}
	return file, err
}
