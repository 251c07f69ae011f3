package outfile

import "os"

// Log is a file to which lines are appended. A written line survives even if the process is killed
// right after. If the process is killed while writing, the last line may be incomplete.
type Log struct{ file *os.File }

// OpenLog opens or creates a log. It keeps existing lines.
func OpenLog(name string) (*Log, error) {
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666) // less the umask
	if err != nil {
		return nil, err
	}
	return &Log{file}, nil
}

// Add writes a line, which must end in a newline.
func (l *Log) Add(line []byte) error {
	_, err := l.file.Write(line)
	return err
}

// Empty removes all lines.
func (l *Log) Empty() error { return l.file.Truncate(0) }

// Close closes the log.
func (l *Log) Close() error { return l.file.Close() }
