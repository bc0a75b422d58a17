
web-aweb-bweb-b