package printers

import (
	"fmt"
	"os"
	"syscall"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// pty opens a terminal: the end that reads what a program prints, and that of the program.
func pty(t *testing.T) (ours, theirs *os.File) {
	t.Helper()
	ours, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	require.NoError(t, err)
	t.Cleanup(func() { ours.Close() })
	var number, unlocked int32
	for request, value := range map[uintptr]*int32{syscall.TIOCGPTN: &number, syscall.TIOCSPTLCK: &unlocked} {
		_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, ours.Fd(), request, uintptr(unsafe.Pointer(value)))
		require.Zero(t, errno)
	}
	theirs, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	require.NoError(t, err)
	t.Cleanup(func() { theirs.Close() })
	return ours, theirs
}

// A template prints to a file what the object holds, and shows on a terminal what a terminal would obey.
func TestTemplatesOnATerminal(t *testing.T) {
	object := map[string]any{"spec": map[string]any{"content": "a\x1b]0;owned\ab"}}
	for _, output := range []string{"jsonpath={.spec.content}", "go-template={{.spec.content}}"} {
		ours, theirs := pty(t)
		p := Printer{Format: format(t, output)}
		require.NoError(t, p.PrintValue(theirs, object))
		buffer := make([]byte, 100)
		n, err := ours.Read(buffer)
		require.NoError(t, err)
		assert.Equal(t, `a\x1b]0;owned\x07b`, string(buffer[:n]), output)
	}
}
