"""What happens here, told to other programs as it happens, signed (https://www.standardwebhooks.com)."""
