package printers

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"github.com/clipperhouse/displaywidth"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// On a terminal, a row fits into one line, whatever its cells hold, and a name keeps its end. With
// -o wide nothing is cut.
func TestRowsFitIntoATerminal(t *testing.T) {
	t.Setenv("LC_ALL", "C.UTF-8")
	t.Setenv("TERM", "xterm")
	t.Setenv("NO_COLOR", "")
	print := func(columns uint16, output string, rows ...[]string) []string {
		ours, theirs := pty(t)
		require.NoError(t, unix.IoctlSetWinsize(int(theirs.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: columns}))
		p := Printer{Format: format(t, output)}
		table := p.newTable(theirs, 4)
		table.Header("NAME", "PHASE", "AGE", "WHY")
		for _, row := range rows {
			table.Row(row...)
		}
		require.NoError(t, table.Flush())
		buffer := make([]byte, 10_000)
		n, err := ours.Read(buffer)
		require.NoError(t, err)
		return strings.Split(strings.TrimSuffix(strings.ReplaceAll(string(buffer[:n]), "\r", ""), "\n"), "\n")
	}
	plain := strings.NewReplacer("\x1b[32m", "", "\x1b[33m", "", "\x1b[0m", "")
	rows := [][]string{
		{"the-first-of-two-tasks-with-a-long-name-that-ends-in-one", "completed", "5m", "short"},
		{"the-first-of-two-tasks-with-a-long-name-that-ends-in-two", "blocked", "5m", strings.Repeat("waits for something ", 20)},
		{"登录页面的错误信息必须对两种情况相同并且翻译成所有语言", "active!", "5m", "登录页面的错误信息必须对两种情况相同并且翻译成所有语言"},
	}
	for _, columns := range []uint16{60, 80, 100} {
		lines := print(columns, "", rows...)
		require.Len(t, lines, 4)
		for _, line := range lines {
			assert.LessOrEqual(t, displaywidth.String(plain.Replace(line)), int(columns), line)
		}
		assert.Regexp(t, `^the-f.*….*one +\x1b\[32mcompleted\x1b\[0m +5m +short$`, lines[1])
		assert.Regexp(t, `^the-f.*….*two +\x1b\[33mblocked\x1b\[0m +5m +waits for.*…$`, lines[2])
		assert.Regexp(t, `^登.*….*言 +active! +5m +登.*…$`, lines[3])
	}
	assert.Contains(t, print(80, "wide", rows...)[2], strings.Repeat("waits for something ", 19))
	t.Setenv("NO_COLOR", "1")
	assert.NotContains(t, strings.Join(print(80, "", rows...), ""), "\x1b")
	for _, columns := range []uint16{1, 10, 20} { // too narrow: nothing is lost but room
		assert.Len(t, print(columns, "", rows...), 4)
	}
}

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
